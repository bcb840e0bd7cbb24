// Open addressing with linear probing, deletion by moving back, and a mixing function of 64 bits.
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 32 };
static struct { uint64_t key; int value; } slots[SIZE];

static uint64_t mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static unsigned probe(uint64_t key) {
    unsigned at = (unsigned)(mix(key) % SIZE);
    while (slots[at].key && slots[at].key != key) at = (at + 1) % SIZE;
    return at;
}

static void erase(uint64_t key) {
    unsigned hole = probe(key), at = hole;
    if (!slots[hole].key) return;
    slots[hole].key = 0;
    while (slots[at = (at + 1) % SIZE].key) {
        unsigned home = (unsigned)(mix(slots[at].key) % SIZE);
        if ((at - home) % SIZE < (at - hole) % SIZE) continue;
        slots[hole] = slots[at];
        slots[at].key = 0;
        hole = at;
    }
}

int main(void) {
    for (uint64_t k = 1; k <= 24; k++) {
        unsigned at = probe(k * k);
        slots[at].key = k * k, slots[at].value = (int)k;
    }
    for (uint64_t k = 1; k <= 24; k += 2) erase(k * k);
    int found = 0, missing = 0;
    for (uint64_t k = 1; k <= 24; k++) {
        unsigned at = probe(k * k);
        if (slots[at].key && slots[at].value == (int)k) found++;
        else missing++;
    }
    printf("%d %d\n", found, missing);
    for (int i = 0; i < SIZE; i++) printf("%llu ", (unsigned long long)slots[i].key);
    printf("\n%016llx\n", (unsigned long long)mix(12345));
    return 0;
}
