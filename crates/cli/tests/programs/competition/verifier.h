// What the programs of SV-COMP declare at their tops.
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
static void reach_error(void) { abort(); }
#define check(condition) \
    do {                 \
        if (!(condition)) \
            reach_error(); \
    } while (0)
#include <pthread.h>
#include <stdlib.h>
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define MUTEX(m) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER
#define TWO_THREADS(f, g)             \
    int main(void) {                  \
        pthread_t thread_1, thread_2;  \
        pthread_create(&thread_1, 0, f, 0); \
        pthread_create(&thread_2, 0, g, 0); \
        pthread_join(thread_1, 0);    \
        pthread_join(thread_2, 0);    \
        AT_END;                       \
        return 0;                     \
    }
#ifndef AT_END
#define AT_END (void)0
#endif
