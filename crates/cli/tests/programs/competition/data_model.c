// The data model ILP32, as preprocessed programs have it: `long` and what threads are called by have 32 bits, so that a number which
// fits into 64 bits overflows, and threads lie side by side in an array. Pointers have 64 bits all the same, which is said.
// check: --property unreach-call -m32
// verdict: verified
// assumed: pointers have 64 bits
// check: --property unreach-call -m32 -DWRONG
// verdict: bug
// bug: assertion
// check: --property unreach-call
// verdict: bug
// bug: assertion
// check: --property no-overflow -m32 -DLARGE
// verdict: bug
// bug: signed-overflow
// check: --property no-overflow -DLARGE
// verdict: verified
// check: --property no-data-race -m32
// verdict: verified
typedef unsigned int size_t;
typedef unsigned long int pthread_t;
typedef union {
    char size[24];
    long int align;
} pthread_mutex_t;
extern int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern void abort(void);
extern void *malloc(size_t size);
extern void free(void *memory);
void reach_error(void) { abort(); }

pthread_mutex_t mutex;
long sum = 2147483000;
int wrong;

static void *thread(void *argument) {
    pthread_mutex_lock(&mutex);
#ifdef LARGE
    sum = sum + 1000;
#else
    sum = sum + (long)argument;
#endif
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    int *results = malloc(3 * sizeof *results);
    for (int i = 2; i >= 0; i--)
        pthread_create(&threads[i], 0, thread, (void *)(i + 1));
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        results[i] = (int)(long)result;
    }
#ifdef WRONG
    wrong = 1;
#endif
    if (results[0] != 1 || results[1] != 2 || results[2] != 3 || sizeof(long) != 4 || wrong)
        reach_error();
    free(results);
    return 0;
}
