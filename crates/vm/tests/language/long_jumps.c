// setjmp and longjmp: out of functions, and back within one; handlers of pthread_cleanup_push.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf buffer;

static void deep(int depth) {
    char local[16];
    local[0] = (char)depth;
    if (depth == 0)
        longjmp(buffer, 7);
    deep(depth - 1);
    printf("not reached %d\n", local[0]);
}

static void handler(void *name) {
    printf("handler %s\n", (char *)name);
}

static void *leaves(void *argument) {
    pthread_cleanup_push(handler, "outer");
    pthread_cleanup_push(handler, "inner");
    if (argument)
        pthread_exit("result");
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void) {
    volatile int rounds = 0;
    int kept = 5;
    int result = setjmp(buffer);
    printf("setjmp returns %d, %d\n", result, kept);
    if (result == 0)
        deep(3);
    rounds++;
    if (rounds < 3)
        longjmp(buffer, 0);
    pthread_t thread;
    void *returned;
    pthread_create(&thread, 0, leaves, "");
    pthread_join(thread, &returned);
    printf("%s\n", (char *)returned);
    leaves(0);
    return 0;
}
