// bug: stack overflow
static int f(int n) { return n == 0 ? 0 : 1 + f(n + 1); }
int main(int argc, char **argv) { return f(argc); }
