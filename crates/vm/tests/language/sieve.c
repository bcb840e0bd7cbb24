// The sieve of Eratosthenes over bits, prime factors, and sums.
#include <stdint.h>
#include <stdio.h>

enum { LIMIT = 2000 };
static uint64_t composite[LIMIT / 64 + 1];

static int is_prime(unsigned n) { return n > 1 && !(composite[n / 64] >> n % 64 & 1); }

static void factor(unsigned n) {
    printf("%u =", n);
    for (unsigned p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p) printf(" %u", p);
    if (n > 1) printf(" %u", n);
    printf("\n");
}

int main(void) {
    for (unsigned i = 2; i * i < LIMIT; i++)
        if (is_prime(i))
            for (unsigned j = i * i; j < LIMIT; j += i) composite[j / 64] |= 1ULL << j % 64;
    unsigned count = 0, sum = 0, gap = 0, last = 2, twins = 0;
    for (unsigned i = 2; i < LIMIT; i++) {
        if (!is_prime(i)) continue;
        count++, sum += i;
        if (i - last > gap) gap = i - last;
        twins += i - last == 2;
        last = i;
    }
    printf("%u %u %u %u %u\n", count, sum, gap, last, twins);
    factor(1001);
    factor(1024);
    factor(1999);
    factor(720720);
    return 0;
}
