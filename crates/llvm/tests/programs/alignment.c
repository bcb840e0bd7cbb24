#include <stddef.h>
#include <stdalign.h>
alignas(64) char line[3]; struct alignas_member { char c; alignas(32) int i; } a = {1, 2};
struct flexible { int count; int items[]; };
int sum(int n) { int vla[n]; for (int i = 0; i < n; i++) vla[i] = i; int t = 0; for (int i = 0; i < n; i++) t += vla[i]; return t; }
int matrix[3][4] = {{1}, {0, 2}};
int main(void) {
  alignas(16) char local[5] = {0};
  int (*row)[4] = &matrix[1];
  char *p = __builtin_alloca(10);
  p[9] = 1;
  return (int)offsetof(struct alignas_member, i) + a.i + local[0] + line[1] + sum(5) + (*row)[1] + (int)(&matrix[2][1] - &matrix[0][0]);
}
