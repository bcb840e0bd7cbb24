typedef __int128 wide; typedef unsigned __int128 uwide;
wide product = (wide)1 << 100; struct { char c; wide w; } padded = {1, -1};
uwide multiply(unsigned long a, unsigned long b) { return (uwide)a * b; }
int main(void) {
  uwide u = multiply(~0ul, ~0ul);
  wide w = -product / 7 + padded.w;
  long overflow; int o = __builtin_mul_overflow(1L << 62, 4L, &overflow) + __builtin_add_overflow(1, 2, (int *)&overflow);
  return (int)(u >> 64) + (int)w + o + __builtin_popcount(7) + __builtin_clzl(1) + __builtin_ctz(8) + (int)__builtin_bswap32(1)
       + __builtin_expect(o, 1);
}
