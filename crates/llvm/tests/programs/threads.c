#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static _Thread_local int mine = 3; static __thread char zero[4]; thread_local long shared_tls; static sem_t semaphore; int ready;
static void *work(void *argument) {
  mine += *(int *)argument; zero[1]++; shared_tls++;
  pthread_mutex_lock(&lock); ready = mine; pthread_cond_signal(&condition); pthread_mutex_unlock(&lock);
  sem_post(&semaphore);
  return &ready;
}
int main(void) {
  pthread_t thread; int argument = 4; void *result;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, work, &argument);
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&condition, &lock);
  pthread_mutex_unlock(&lock);
  sem_wait(&semaphore);
  pthread_join(thread, &result);
  assert(*(int *)result == 7 && mine == 3);
  return 0;
}
