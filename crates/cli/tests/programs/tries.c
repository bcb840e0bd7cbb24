// A thread that counts its rounds in order to do this or that every now and then, all of which does nothing, waits for the flag
// and nothing else. Either it finds the flag set at once or it waits until it is: as unoptimised programs look in one place,
// that is one execution there, and two where a compiler has put the first look before the loop.
// check: -DWAYS=0
// verdict: verified
// complete: 1
// check: -DWAYS=0 -O1
// verdict: verified
// complete: 2
// check: -DWAYS=0 -O2
// verdict: verified
// complete: 2
// check: -DWAYS=1
// verdict: verified
// complete: 1
// check: -DWAYS=1 -O1
// verdict: verified
// complete: 2
// check: -DWAYS=1 -O2
// verdict: verified
// complete: 2
// check: -DWAYS=2
// verdict: verified
// check: -DWAYS=2 -O1
// verdict: verified
// check: -DWAYS=2 -O2
// verdict: verified
// check: -DWAYS=3
// verdict: verified
// complete: 1
// A number that ends the loop, or is seen after it, decides something.
// check: -DWAYS=4
// verdict: bug
// bug: assertion
// check: -DWAYS=4 -O1
// verdict: bug
// bug: assertion
// check: -DWAYS=5
// verdict: bug
// bug: division-by-zero
// check: -DWAYS=6
// verdict: bug
// bug: assertion
// check: -DWAYS=6 -O2
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int flag;
int data;

static void *set(void *unused) {
    data = 1;
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    int tries = 0;
    while (!flag) {
        tries++;
#if WAYS == 0
        if (tries % 10 == 0)
            sched_yield();
#elif WAYS == 1
        if (tries > 100 && tries % 10 == 0)
            sched_yield();
        else if (tries % 3 == 0)
            sched_yield();
#elif WAYS == 2
        switch (tries & 3) {
        case 0:
            sched_yield();
            break;
        case 1:
            sched_yield();
            break;
        default:
            break;
        }
#elif WAYS == 3
        for (volatile int i = 0; i < tries; i++)
            ;
#elif WAYS == 4
        if (tries == 3)
            assert(flag);
#elif WAYS == 5
        if (10 / (tries - 3) == 5)
            sched_yield();
#elif WAYS == 6
        int odd;
        if (tries > 2 || tries % 2 == 0)
            odd = 0;
        else
            odd = 1;
        if (tries == 2)
            assert(odd || flag);
#endif
    }
    assert(data == 1);
    pthread_join(thread, 0);
    return 0;
}
