// What C leaves undefined of signed arithmetic (C11, 6.5 to 6.5.7), and what it defines. A value comes from another thread, so
// that clang cannot compute anything beforehand.
// check: --property no-overflow -DVALUE=1 -DOPERATION=x<<30
// verdict: verified
// check: --property no-overflow -DVALUE=1 -DOPERATION=x<<31
// verdict: bug
// bug: signed-overflow
// message: 1 of type `int` is shifted by 31
// check: --property no-overflow -DVALUE=0 -DOPERATION=x<<31
// verdict: verified
// check: --property no-overflow -DVALUE=-1 -DOPERATION=x<<3
// verdict: bug
// bug: signed-overflow
// message: -1 of type `int` is shifted by 3
// check: --property no-overflow -DVALUE=-8 -DOPERATION=x>>1
// verdict: verified
// check: --property no-overflow -DVALUE=1 -DOPERATION=1<<x*32
// verdict: bug
// bug: signed-overflow
// check: --property no-overflow -DVALUE=-1 -DOPERATION=1<<x
// verdict: bug
// bug: signed-overflow
// message: 1 of type `int` is shifted by -1
// check: --property no-overflow -DVALUE=32 -DOPERATION=4>>x
// verdict: bug
// bug: signed-overflow
// check: --property no-overflow -DVALUE=1 -DOPERATION=(unsigned)x<<31
// verdict: verified
// check: --property no-overflow -DVALUE=32 -DOPERATION=1u<<x
// verdict: incomplete
// cut: misuse
// check: --property no-overflow -DVALUE=1 -DOPERATION=(long)x<<40
// verdict: verified
// check: --property no-overflow -DVALUE=255 -DOPERATION=(uint8_t)x<<24
// verdict: bug
// bug: signed-overflow
// message: 255 of type `int` is shifted by 24
// check: --property no-overflow -DVALUE=127 -DOPERATION=(uint8_t)x<<24
// verdict: verified
// check: --property no-overflow -DVALUE=-1 -DOPERATION=INT_MIN/x
// verdict: bug
// bug: signed-overflow
// message: a division
// check: --property no-overflow -DVALUE=-1 -DOPERATION=INT_MIN%x
// verdict: bug
// bug: signed-overflow
// check: --property no-overflow -DVALUE=-1 -DOPERATION=-INT_MAX/x
// verdict: verified
// check: --property no-overflow -DVALUE=INT_MIN -DOPERATION=-x
// verdict: bug
// bug: signed-overflow
// message: a negation
// check: --property no-overflow -DVALUE=-INT_MAX -DOPERATION=-x
// verdict: verified
// check: --property no-overflow -DVALUE=SHRT_MAX -DOPERATION=(short)x+1
// verdict: verified
// check: --property no-overflow -DVALUE=INT_MAX -DOPERATION=(unsigned)x+x
// verdict: verified
// check: --property no-overflow -DVALUE=INT_MAX -DOPERATION=x+1ll
// verdict: verified
// check: --property no-overflow -DVALUE=0x40000000 -DOPERATION=x<<=1
// verdict: bug
// bug: signed-overflow
// check: --property no-overflow -DVALUE=0x40000000 -DOPERATION=x<<=1 -O2
// verdict: bug
// bug: signed-overflow
// check: --property unreach-call -DVALUE=1 -DOPERATION=x<<31
// verdict: verified
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int shared;
long long result;

static void *thread(void *unused) {
    shared = VALUE;
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    pthread_join(other, 0);
    int x = shared;
    result = OPERATION;
    return 0;
}
