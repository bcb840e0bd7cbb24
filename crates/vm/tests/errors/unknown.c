// bug: unsupported at line 4: the program calls `frobnicate`
void frobnicate(void);
int main(void) {
    frobnicate();
}
