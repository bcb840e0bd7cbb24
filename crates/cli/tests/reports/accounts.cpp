// Two transfers in opposite directions lock the accounts in opposite orders.
// check: --memory-model=sc
#include <mutex>
#include <thread>

class Account {
public:
    explicit Account(int balance) : balance(balance) {}
    void transfer(Account &to, int amount) {
        std::lock_guard<std::mutex> mine(mutex);
        std::lock_guard<std::mutex> theirs(to.mutex);
        balance -= amount;
        to.balance += amount;
    }

private:
    std::mutex mutex;
    int balance;
};

int main() {
    Account a(10), b(20);
    std::thread one([&] { a.transfer(b, 1); });
    std::thread two([&] { b.transfer(a, 2); });
    one.join();
    two.join();
}
