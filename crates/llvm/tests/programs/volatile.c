volatile int device; volatile struct { int a; short b; } registers; static volatile char *port = (char *)0x1000;
int main(void) {
  volatile int local = 1;
  device = local; device++;
  registers.a = device; registers.b |= 2;
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("pause");
  if (port == 0) *port = 1;
  return local;
}
