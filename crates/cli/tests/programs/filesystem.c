// Threads allocate blocks for inodes, with a lock for each. Source: Flanagan and Godefroid, POPL 2005; counts of
// J. ACM 64(4), Table 3.
// check: -DN=14
// verdict: verified
// complete: 2
// redundant: 0
// check: -DN=16
// verdict: verified
// complete: 8
// check: -DN=18
// verdict: verified
// complete: 32
// check: -DN=14 --algorithm source
// verdict: verified
// complete: 2
// redundant: 0
// check: -DN=16 --algorithm source
// verdict: verified
// complete: 8
// redundant: 0
// check: -DN=18 --algorithm source
// verdict: verified
// complete: 32
// redundant: 0
// check: -DN=19 --algorithm source
// verdict: verified
// complete: 64
// redundant: 0
// check: -DN=16 --algorithm classic
// verdict: verified
// complete: 8
#include <pthread.h>

#define INODES 32
#define BLOCKS 26

pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
int inode[INODES], busy[BLOCKS];

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
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, allocate, (void *)i);
    return 0;
}
