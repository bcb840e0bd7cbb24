// std::unique_ptr: ownership handed over, arrays, deleters, trees; std::shared_ptr.
#include <cstdio>
#include <memory>
#include <utility>

struct Noisy {
    int id;
    explicit Noisy(int n) : id(n) { std::printf("+%d ", id); }
    ~Noisy() { std::printf("-%d ", id); }
};
struct Tree {
    int key;
    std::unique_ptr<Tree> left, right;
    explicit Tree(int k) : key(k) {}
    void insert(int k) {
        auto &child = k < key ? left : right;
        if (child) child->insert(k);
        else child = std::make_unique<Tree>(k);
    }
    int sum() const { return key + (left ? left->sum() : 0) + (right ? right->sum() : 0); }
};

static std::unique_ptr<Noisy> pass(std::unique_ptr<Noisy> p) { p->id += 10; return p; }

int main() {
    auto a = std::make_unique<Noisy>(1);
    auto b = pass(std::move(a));
    std::printf("%d %d\n", a == nullptr, b->id);
    b.reset(new Noisy(2));
    Noisy *raw = b.release();
    std::printf("%d\n", !b);
    delete raw;
    std::unique_ptr<int[]> array(new int[5]{1, 2, 3});
    array[4] = 9;
    std::printf("%d %d\n", array[2] + array[3], array[4]);
    auto deleter = [](Noisy *n) { std::printf("custom "); delete n; };
    {
        std::unique_ptr<Noisy, decltype(deleter)> c(new Noisy(3), deleter);
    }
    std::printf("\n");
    Tree tree(50);
    for (int k : {20, 70, 10, 30, 60}) tree.insert(k);
    std::printf("%d %d\n", tree.sum(), tree.left->right->key);
    std::shared_ptr<Noisy> s = std::make_shared<Noisy>(4), t = s;
    std::weak_ptr<Noisy> weak = s;
    std::printf("%ld ", s.use_count());
    s.reset();
    std::printf("%d %ld ", weak.expired(), t.use_count());
    t.reset();
    std::printf("%d\n", weak.expired());
    return 0;
}
