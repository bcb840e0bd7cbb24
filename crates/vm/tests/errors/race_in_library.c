// bug: data race at line 11: two unordered accesses to name[0]
// settings: races
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char name[8] = "nobody";

static void *rename_it(void *ignored) {
    (void)ignored;
    strcpy(name, "me");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, rename_it, NULL);
    printf("%s\n", name);
    pthread_join(thread, NULL);
    return 0;
}
