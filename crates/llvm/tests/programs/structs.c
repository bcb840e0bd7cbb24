struct point { int x, y; };
struct line { struct point from, to; char name[5]; double weight; };
struct big { long values[6]; };
struct floats { float a, b; };
struct mixed { long n; double d; };
static struct line table[] = {{{1, 2}, {3, 4}, "ab", 0.5}, {{5, 6}, {7, 8}, "cd", 1.5}};
struct line *last = &table[1];
int *inside = &table[1].to.y;
struct point swap(struct point p) { struct point q = {p.y, p.x}; return q; }
struct big fill(struct big b, int n) { for (int i = 0; i < 6; i++) b.values[i] += n; return b; }
struct floats half(struct floats f) { f.a /= 2; f.b /= 2; return f; }
struct mixed both(struct mixed m) { m.n++; m.d *= 2; return m; }
int main(void) {
  struct point p = swap((struct point){1, 2});
  struct big b = fill((struct big){{1, 2, 3}}, p.x);
  struct floats f = half((struct floats){1, 2});
  struct mixed m = both((struct mixed){1, 2});
  struct line copy = *last;
  copy.from = p;
  return copy.from.x + (int)b.values[5] + (int)f.a + (int)m.d + *inside;
}
