// A reference count that is decremented in two steps.
// check: --memory-model=sc
#include <atomic>
#include <thread>

struct Object {
    std::atomic<int> references{2};
    int data = 0;
};

void release(Object *object) {
    object->references.store(object->references.load() - 1);
    if (object->references.load() == 0)
        delete object;
}

int main() {
    Object *object = new Object;
    std::thread other(release, object);
    release(object);
    other.join();
}
