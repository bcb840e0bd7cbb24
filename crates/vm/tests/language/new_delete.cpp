// new and delete, of arrays, in place, by classes, with alignment.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

struct Counted {
    static int live;
    int n;
    Counted() : n(live++) {}
    ~Counted() { live--; }
};
int Counted::live = 0;

struct Pooled {
    static char pool[64];
    static int used;
    int value;
    explicit Pooled(int v) : value(v) {}
    void *operator new(std::size_t size) { void *p = pool + used; used += static_cast<int>(size); return p; }
    void operator delete(void *) { used -= 4; }
};
alignas(16) char Pooled::pool[64];
int Pooled::used = 0;

struct alignas(64) Aligned { char c = 'a'; };

int main() {
    Counted *one = new Counted, *many = new Counted[4];
    std::printf("%d %d %d\n", Counted::live, one->n, many[3].n);
    delete[] many;
    delete one;
    std::printf("%d\n", Counted::live);
    alignas(Counted) char storage[2 * sizeof(Counted)];
    Counted *placed = new (storage) Counted;
    std::printf("%d %d\n", static_cast<void *>(placed) == storage, Counted::live);
    placed->~Counted();
    Pooled *p = new Pooled(5), *q = new Pooled(6);
    std::printf("%d %d %d\n", p->value + q->value, Pooled::used, reinterpret_cast<char *>(q) - Pooled::pool == 4);
    delete q;
    delete p;
    std::printf("%d\n", Pooled::used);
    Aligned *aligned = new Aligned;
    std::printf("%d %c\n", static_cast<int>(reinterpret_cast<std::uintptr_t>(aligned) % 64), aligned->c);
    delete aligned;
    int *zeroed = new int[3](), *value = new (std::nothrow) int(9);
    std::printf("%d %d\n", zeroed[0] + zeroed[1] + zeroed[2], *value);
    delete[] zeroed;
    delete value;
    delete static_cast<Counted *>(nullptr);
    return 0;
}
