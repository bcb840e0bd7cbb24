// bug: none
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);
int x;
static void __VERIFIER_atomic_add(void) { x = x + 1; }
static void *thread(void *u) {
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_add();
    return u;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, thread, 0);
    pthread_create(&t, 0, thread, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    if (x != 4)
        reach_error();
}
