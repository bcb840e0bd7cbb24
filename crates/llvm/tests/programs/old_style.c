int helper();
int add(a, b) int a; char b; { return a + b; }
int main() { return helper(1, 2.0, "x") + add(1, 2); }
int helper(int a, double b, char *c) { return a + (int)b + *c; }
