static int counter(void) { static int count = 5; static char *names[] = {"one", "two"}; return count++ + names[1][0]; }
static int other(void) { static int count; return ++count; }
inline static int twice(int x) { return 2 * x; }
extern int elsewhere; int tentative; int tentative;
int main(void) { return twice(counter()) + other() + tentative; }
