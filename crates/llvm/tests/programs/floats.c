#include <math.h>
float f = 0.1f; double d = 1e300, inf = INFINITY, nan_value = NAN; const double pi = 3.14159265358979;
int main(void) {
  double r = fabs(-2.5) + floor(2.5) + pow(2, 3) + fmin(1, 2) + copysign(1, -2) + fmod(7, 3) + sin(pi) + sqrt(d) / 1e150;
  float g = f * 3 - (float)r + fmaf(f, f, f);
  unsigned u = (unsigned)-g; long l = (long)r; unsigned long ul = (unsigned long)1e19;
  double back = (double)u + (float)l + (double)(ul >> 60) + (_Bool)r;
  return (r < d) + (r != r) + isnan(nan_value) + isinf(inf) + isfinite(r) + (g >= f) + (int)back + __builtin_signbit(r);
}
