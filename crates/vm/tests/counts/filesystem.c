// Threads allocate blocks for inodes, with a lock for each.
// optimal: -DN=14 2+0
// optimal: -DN=16 8+0
// optimal: -DN=18 32+0
#include <pthread.h>

#define INODES 32
#define BLOCKS 26

pthread_mutex_t locki[INODES], lockb[BLOCKS];
int inode[INODES], busy[BLOCKS];

static void *thread(void *argument) {
    int tid = (int)(long)argument;
    int i = tid % INODES;
    pthread_mutex_lock(&locki[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % BLOCKS;
        while (1) {
            pthread_mutex_lock(&lockb[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&lockb[b]);
                break;
            }
            pthread_mutex_unlock(&lockb[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&locki[i]);
    return 0;
}

int main(void) {
    pthread_t id;
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&locki[i], 0);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&lockb[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&id, 0, thread, (void *)i);
    return 0;
}
