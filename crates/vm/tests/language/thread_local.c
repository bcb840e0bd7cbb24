// _Thread_local variables: initialised per thread, with addresses of their own.
#include <pthread.h>
#include <stdio.h>

struct state { int n; const char *name; int history[4]; };
static _Thread_local struct state state = {5, "initial", {1, 2}};
static __thread int counter;
_Thread_local int *pointer;

static int next(void) {
    static _Thread_local int calls = 100;
    return calls++;
}

static void *work(void *out) {
    int *results = out;
    int local = 1;
    pointer = &local;
    for (int i = 0; i < 3; i++) {
        counter += i + 1;
        state.n *= 2;
        state.history[i] += next();
        ++*pointer;
    }
    state.name = "changed";
    results[0] = counter, results[1] = state.n, results[2] = state.history[1], results[3] = local;
    results[4] = next();
    return &state == out ? out : NULL;
}

int main(void) {
    int a[5], b[5], mine[5];
    pthread_t first, second;
    counter = 1000;
    pthread_create(&first, NULL, work, a);
    pthread_create(&second, NULL, work, b);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d %s %d\n", state.n, state.name, pointer == NULL);
    work(mine);
    for (int i = 0; i < 5; i++) printf("%d %d %d\n", a[i], b[i], mine[i]);
    printf("%s\n", state.name);
    return 0;
}
