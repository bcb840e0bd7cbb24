// A readers-writer lock: consistent pairs, and what the try functions say.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *write_pairs(void *unused) {
    (void)unused;
    for (int i = 1; i <= 3; i++) {
        pthread_rwlock_wrlock(&lock);
        left += i;
        right -= i;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *read_pairs(void *torn) {
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_rdlock(&lock);
        if (left + right != 0) ++*(int *)torn;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t writer, readers[2];
    int torn[2] = {0, 0};
    pthread_create(&writer, NULL, write_pairs, NULL);
    for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, read_pairs, &torn[i]);
    pthread_join(writer, NULL);
    for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
    printf("%d %d %d\n", left, right, torn[0] + torn[1]);
    pthread_rwlock_rdlock(&lock);
    printf("%d\n", pthread_rwlock_tryrdlock(&lock));
    printf("%d\n", pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    printf("%d\n", pthread_rwlock_trywrlock(&lock));
    printf("%d\n", pthread_rwlock_tryrdlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    printf("%d\n", pthread_rwlock_destroy(&lock));
    return 0;
}
