int g;
int main(void) {
  int x; int y = 0;
  if (g) x = 1;
  for (int i = 0; i < 3; i++) { int z; if (i == g) z = i; y += z; }
  return x + y;
}
