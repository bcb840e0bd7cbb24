// Flanagan and Godefroid's file system: N threads allocate blocks for inodes.
#include <pthread.h>

#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_lock[INODES];
static pthread_mutex_t block_lock[BLOCKS];
static int inode[INODES];
static int busy[BLOCKS];

static void *allocate(void *argument) {
    int i = (int)(long)argument % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        for (int b = (i * 2) % BLOCKS;; b = (b + 1) % BLOCKS) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], 0);
    for (int b = 0; b < BLOCKS; b++)
        pthread_mutex_init(&block_lock[b], 0);
    for (long tid = 0; tid < N; tid++)
        pthread_create(&thread, 0, allocate, (void *)tid);
    return 0;
}
