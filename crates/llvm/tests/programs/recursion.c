static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
unsigned ackermann(unsigned m, unsigned n) {
  if (!m) return n + 1;
  return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}
int main(void) { return even(10) + ackermann(2, 3); }
