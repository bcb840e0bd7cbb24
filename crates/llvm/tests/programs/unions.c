#include <string.h>
union word { int i; float f; unsigned char bytes[4]; struct { short low, high; } halves; };
union word shared = {.f = 1.0f};
int bits(float f) { union word w; w.f = f; return w.i; }
int main(void) {
  union word w = shared;
  w.bytes[1] = 7;
  w.halves.high = 3;
  memcpy(&shared, &w, sizeof w);
  return bits(2.5f) + shared.i;
}
