// bug: assertion failure
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_bool())
        if (__VERIFIER_nondet_int() == 2)
            reach_error();
}
