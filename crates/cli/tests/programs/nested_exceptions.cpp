// Exceptions with the reason in them, and those of functions and pointers.
// check: -std=c++17
// verdict: verified
#include <cassert>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

static std::string reasons(const std::exception &error) {
    try {
        std::rethrow_if_nested(error);
    } catch (const std::exception &reason) {
        return std::string(error.what()) + ": " + reasons(reason);
    }
    return error.what();
}

int main() {
    try {
        try {
            throw std::out_of_range("index");
        } catch (...) {
            std::throw_with_nested(std::runtime_error("lookup"));
        }
    } catch (const std::exception &error) {
        assert(reasons(error) == "lookup: index");
    }
    try {
        std::function<void()>()();
        assert(false);
    } catch (const std::bad_function_call &) {
    }
    try {
        std::weak_ptr<int> none;
        std::shared_ptr<int> some(none);
        assert(false);
    } catch (const std::bad_weak_ptr &) {
    }
}
