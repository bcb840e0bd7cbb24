// A client of boost::atomic_shared_ptr: a pointer is replaced while another thread loads it. BROKEN does so with a shared_ptr.
#include <boost/smart_ptr/atomic_shared_ptr.hpp>
#include <boost/smart_ptr/make_shared.hpp>
#include <cassert>
#include <thread>

#ifdef BROKEN
static boost::shared_ptr<int> shared = boost::make_shared<int>(1);
static boost::shared_ptr<int> load() { return shared; }
static void store(boost::shared_ptr<int> pointer) { shared = pointer; }
#else
static boost::atomic_shared_ptr<int> shared(boost::make_shared<int>(1));
static boost::shared_ptr<int> load() { return shared.load(); }
static void store(boost::shared_ptr<int> pointer) { shared.store(pointer); }
#endif

int main() {
    std::thread other([] { store(boost::make_shared<int>(2)); });
    boost::shared_ptr<int> seen = load();
    assert(*seen == 1 || *seen == 2);
    other.join();
    assert(*load() == 2);
}
