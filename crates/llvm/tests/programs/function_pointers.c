typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static const operation table[2] = {add, sub};
struct object { operation *methods; int (*self)(struct object *); };
static int size(struct object *o) { return o->methods[1](9, 4); }
struct object thing = {(operation *)table, size};
int apply(operation f, int n) { return n ? apply(f, n - 1) + f(n, 1) : 0; }
int main(void) { return apply(table[thing.self(&thing) & 1], 4) + (table[0] == add) + ((int (*)(int, int))sub)(3, 1); }
