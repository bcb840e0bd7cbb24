int classify(int c) {
  switch (c) {
  case 'a' ... 'c': return 1;
  case 'x': c++; /* fall through */
  case 'y': return c;
  default: break;
  }
again:
  if (c-- > 100) goto again;
  do { if (c & 1) c--; else c /= 2; } while (c > 10);
  return c;
}
int interpret(const unsigned char *code) {
  static void *const labels[] = {&&stop, &&inc, &&twice};
  int value = 1;
  goto *labels[*code++];
inc: value++; goto *labels[*code++];
twice: value *= 2; goto *labels[*code++];
stop: return value;
}
long wide(long v) { switch (v) { case -1: return 1; case 1L << 40: return 2; } return 0; }
int main(void) {
  unsigned char code[] = {1, 2, 2, 1, 0};
  return classify(200) + classify('b') + interpret(code) + wide(-1);
}
