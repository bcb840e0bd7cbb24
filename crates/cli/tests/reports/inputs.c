// Inputs are told as what the functions return that ask for them: -1 is 255 of 8 bits without a sign, and 300 is 44; random numbers have 31 bits.
// check: --property unreach-call --values=-1,300
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

static void reach_error(void) { abort(); }

int main(void) {
    int byte = __VERIFIER_nondet_uchar();
    int small = __VERIFIER_nondet_char();
    unsigned whole = __VERIFIER_nondet_uint();
    int plain = __VERIFIER_nondet_int();
    int random = rand();
    if (byte == 255 && small == 44 && whole == 4294967295u && plain == -1 && random == 2147483647)
        reach_error();
    return 0;
}
