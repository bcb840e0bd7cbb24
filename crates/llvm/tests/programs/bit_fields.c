struct flags { unsigned a : 3; signed b : 5; unsigned long c : 40; unsigned : 0; unsigned char d : 1; };
struct flags g = {.a = 5, .b = -3, .c = 1ul << 33, .d = 1};
struct __attribute__((packed)) tight { char c; int i : 20; short s; } t = {'x', 12, 5};
int main(void) {
  g.a += 2; g.b = g.a - 9; g.c |= 7; t.i++;
  struct flags l = g;
  l.d ^= 1;
  return l.a + l.b + (int)l.c + l.d + t.i + t.s;
}
