#include <stdarg.h>
#include <stdio.h>
struct triple { long a, b, c; };
struct pair { int a; double b; };
static long sum(int n, ...) {
  va_list args, again;
  va_start(args, n);
  va_copy(again, args);
  long total = 0;
  for (int i = 0; i < n; i++) total += va_arg(args, int);
  total += (long)va_arg(args, double);
  struct triple t = va_arg(args, struct triple);
  struct pair p = va_arg(args, struct pair);
  total += *va_arg(args, long *) + va_arg(again, int);
  va_end(args);
  va_end(again);
  return total + t.c + p.a;
}
static int show(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vprintf(format, args);
  va_end(args);
  return n;
}
int main(void) {
  long l = 5;
  struct triple t = {1, 2, 3};
  struct pair p = {4, 5};
  return sum(2, 1, 2, 3.5, t, p, &l) + show("%d %s\n", 3, "x");
}
