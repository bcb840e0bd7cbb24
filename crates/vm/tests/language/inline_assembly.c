// Instructions of x86 that libraries use for atomic accesses, with their results and flags.
#include <stdint.h>
#include <stdio.h>

#if defined __x86_64__
#define SIZES(X) X(8, b) X(16, w) X(32, l) X(64, q)

#define FUNCTIONS(BITS, SUFFIX)                                                                                      \
    static uint##BITS##_t exchange##BITS(uint##BITS##_t *at, uint##BITS##_t new) {                                   \
        __asm__ volatile("xchg" #SUFFIX " %0, %1" : "+q"(new), "+m"(*at) : : "memory");                              \
        return new;                                                                                                  \
    }                                                                                                                \
    static uint##BITS##_t fetch_add##BITS(uint##BITS##_t *at, uint##BITS##_t by) {                                   \
        __asm__ volatile("lock; xadd" #SUFFIX " %1, %0" : "+m"(*at), "+q"(by) : : "memory", "cc");                   \
        return by;                                                                                                   \
    }                                                                                                                \
    static int replace##BITS(uint##BITS##_t *at, uint##BITS##_t *expected, uint##BITS##_t new) {                     \
        unsigned char replaced;                                                                                      \
        __asm__ volatile("lock cmpxchg" #SUFFIX " %3, %0\n\tsetz %1"                                                 \
                         : "+m"(*at), "=q"(replaced), "+a"(*expected)                                                \
                         : "q"(new)                                                                                  \
                         : "memory", "cc");                                                                          \
        return replaced;                                                                                             \
    }                                                                                                                \
    static int decrement_is_zero##BITS(uint##BITS##_t *at) {                                                         \
        unsigned char zero, other;                                                                                   \
        __asm__ volatile("lock dec" #SUFFIX " %0; sete %1; setnz %2"                                                 \
                         : "+m"(*at), "=q"(zero), "=q"(other)                                                        \
                         :                                                                                           \
                         : "memory", "cc");                                                                          \
        return zero << 1 | other;                                                                                    \
    }                                                                                                                \
    static void change##BITS(uint##BITS##_t *at, uint##BITS##_t by) {                                                \
        __asm__ volatile("lock; add" #SUFFIX " %1, %0" : "+m"(*at) : "q"(by) : "memory", "cc");                      \
        __asm__ volatile("lock; or" #SUFFIX " %1, %0" : "+m"(*at) : "q"(by) : "memory", "cc");                       \
        __asm__ volatile("lock; inc" #SUFFIX " %0" : "+m"(*at) : : "memory", "cc");                                  \
        __asm__ volatile("lock; xor" #SUFFIX " %1, %0" : "+m"(*at) : "q"(by) : "memory", "cc");                      \
        __asm__ volatile("lock; not" #SUFFIX " %0" : "+m"(*at) : : "memory", "cc");                                  \
        __asm__ volatile("lock; sub" #SUFFIX " %1, %0" : "+m"(*at) : "q"(by) : "memory", "cc");                      \
        __asm__ volatile("lock; and" #SUFFIX " %1, %0" : "+m"(*at) : "q"((uint##BITS##_t)~by) : "memory", "cc");     \
    }                                                                                                                \
    static void run##BITS(void) {                                                                                    \
        uint##BITS##_t cell = 3, expected = 4;                                                                       \
        unsigned long long old = exchange##BITS(&cell, 250);                                                         \
        printf("%d: %llu %llu\n", BITS, old, (unsigned long long)cell);                                              \
        old = fetch_add##BITS(&cell, 7);                                                                             \
        printf("%llu %llu\n", old, (unsigned long long)cell);                                                        \
        int replaced = replace##BITS(&cell, &expected, 9);                                                           \
        printf("%d %llu %llu\n", replaced, (unsigned long long)expected, (unsigned long long)cell);                  \
        replaced = replace##BITS(&cell, &expected, 2);                                                               \
        printf("%d %llu %llu\n", replaced, (unsigned long long)expected, (unsigned long long)cell);                  \
        int flags = decrement_is_zero##BITS(&cell);                                                                  \
        flags = flags << 2 | decrement_is_zero##BITS(&cell);                                                         \
        printf("%d %llu\n", flags, (unsigned long long)cell);                                                        \
        change##BITS(&cell, 5);                                                                                      \
        printf("%llu\n", (unsigned long long)cell);                                                                  \
    }

SIZES(FUNCTIONS)

static int set_bit(uint32_t *at, uint32_t bit) {
    unsigned char was;
    __asm__ volatile("lock btsl %2, %0; setc %1" : "+m"(*at), "=q"(was) : "q"(bit) : "memory", "cc");
    return was;
}

static long highest(unsigned long value) {
    long position;
    __asm__("bsrq %1,%0\n\tjnz 1f\n\tmovq $-1,%0\n\t1:\n\t" : "=r"(position) : "rm"(value) : "cc");
    return position;
}

static long lowest(unsigned long value) {
    long position = 77;
    unsigned char none;
    __asm__("bsfq %2, %0 ; setz %1" : "+r"(position), "=q"(none) : "r"(value) : "cc");
    return position << 1 | none;
}

static int ones(unsigned value) {
    int count;
    __asm__("popcntl %1, %0" : "=r"(count) : "r"(value) : "cc");
    return count;
}

static void *pointer(void **at, void *new) {
    __asm__ volatile("xchg %0, %1" : "+r"(new), "+m"(*at) : : "memory");
    return new;
}

static int moved(int *at, int value) {
    int copy;
    __asm__ volatile("movl %1, %0" : "=m"(*at) : "ir"(value) : "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" : : : "memory", "cc");
    __asm__ volatile("mfence; lfence; sfence; pause; rep; nop" : : : "memory");
    __asm__ volatile("movl %1, %0" : "=r"(copy) : "m"(*at) : "memory");
    return copy;
}

int main(void) {
#define RUN(BITS, SUFFIX) run##BITS();
    SIZES(RUN)
    uint32_t bits = 8;
    int was = set_bit(&bits, 3);
    was = was << 1 | set_bit(&bits, 31);
    printf("%d %u\n", was, bits);
    int one = 1, two = 2;
    void *held = &one;
    void *old = pointer(&held, &two);
    printf("%d %d\n", *(int *)old, *(int *)held);
    printf("%d\n", moved(&one, 42));
    printf("%ld %ld %ld\n", highest(0), highest(1), highest(0x8000000000000010));
    printf("%ld %ld %ld %d\n", lowest(0), lowest(1), lowest(0x8000000000000010), ones(0xf0f00001));
    int hidden = 5;
    __asm__("" : "+r"(hidden));
    printf("%d\n", hidden);
    return 0;
}
#else
int main(void) {
    return 0;
}
#endif
