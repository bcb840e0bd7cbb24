// An attempt to take a lock that fails orders nothing: to take a lock does not release. C and C++ say so of their mutexes; POSIX leaves
// open what a function does to memory that fails. Nor does a look at a semaphore's value.
// check: -DMUTEX
// verdict: bug
// bug: data-race
// check: -DTIMED
// verdict: bug
// bug: data-race
// check: -DSPIN
// verdict: bug
// bug: data-race
// check: -DREAD_WRITE
// verdict: bug
// bug: data-race
// check: -DWRITE_READ
// verdict: bug
// bug: data-race
// check: -DSEMAPHORE
// verdict: bug
// bug: data-race
// check: -DVALUE
// verdict: bug
// bug: data-race
//
// With data that is atomic and relaxed, an old value is found.
// check: -DMUTEX -DATOMIC
// verdict: bug
// bug: assertion
// check: -DVALUE -DATOMIC
// verdict: bug
// bug: assertion
//
// One that succeeds does.
// check: -DMUTEX -DAFTER
// verdict: verified
// check: -DTIMED -DAFTER
// verdict: verified
// check: -DSPIN -DAFTER
// verdict: verified
// check: -DREAD_WRITE -DAFTER
// verdict: verified
// check: -DWRITE_READ -DAFTER
// verdict: verified
// check: -DPOST -DAFTER
// verdict: verified
// check: -DPOST -DAFTER -DATOMIC
// verdict: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#ifdef ATOMIC
atomic_int data;
#define SET() atomic_store_explicit(&data, 1, memory_order_relaxed)
#define GET() atomic_load_explicit(&data, memory_order_relaxed)
#else
int data;
#define SET() (data = 1)
#define GET() data
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_spinlock_t spin;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore, posted;

#if defined MUTEX || defined TIMED
#define TAKE() pthread_mutex_lock(&mutex)
#define GIVE() pthread_mutex_unlock(&mutex)
#elif defined SPIN
#define TAKE() pthread_spin_lock(&spin)
#define GIVE() pthread_spin_unlock(&spin)
#elif defined READ_WRITE
#define TAKE() pthread_rwlock_rdlock(&lock)
#define GIVE() pthread_rwlock_unlock(&lock)
#elif defined WRITE_READ
#define TAKE() pthread_rwlock_wrlock(&lock)
#define GIVE() pthread_rwlock_unlock(&lock)
#elif defined SEMAPHORE
#define TAKE() sem_wait(&semaphore)
#define GIVE() sem_post(&semaphore)
#else
#define TAKE() 0
#define GIVE() sem_post(&posted)
#endif

static int attempt(void) {
#if defined MUTEX
  return pthread_mutex_trylock(&mutex) == 0;
#elif defined TIMED
  struct timespec at_once = {0, 0};
  return pthread_mutex_timedlock(&mutex, &at_once) == 0;
#elif defined SPIN
  return pthread_spin_trylock(&spin) == 0;
#elif defined READ_WRITE
  return pthread_rwlock_trywrlock(&lock) == 0;
#elif defined WRITE_READ
  return pthread_rwlock_tryrdlock(&lock) == 0;
#elif defined SEMAPHORE
  return sem_trywait(&semaphore) == 0;
#elif defined POST
  return sem_trywait(&posted) == 0;
#else
  int value;
  sem_getvalue(&posted, &value);
  return value == 0;
#endif
}

static void *other(void *unused) {
  (void)unused;
#ifdef AFTER
  TAKE();
  SET();
  GIVE();
#else
  SET();
  TAKE();
  GIVE();
#endif
  return 0;
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
  sem_init(&posted, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  int taken = attempt();
#if defined AFTER
  if (taken) {
    int seen = GET();
    assert(seen == 0 || seen == 1);
#ifdef POST
    assert(seen == 1);
#endif
    GIVE();
  }
#else
  if (!taken)
    assert(GET() == 1);
  else
    GIVE();
#endif
  pthread_join(thread, 0);
}
