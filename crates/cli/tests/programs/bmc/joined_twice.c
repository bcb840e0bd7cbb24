// bmc: --steps 10
// verdict: bug
// bug: misuse
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
pthread_t a;
void *one(void *argument) { return 0; }
void *two(void *argument) {
    pthread_join(a, 0); // <- bug
    return 0;
}
int main(void) {
    pthread_t b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, two, 0);
    return 0;
}
