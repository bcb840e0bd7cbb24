// The exception classes of the C++ standard library, as far as libstdc++ has them in its binary: declared in its headers,
// defined here, so that programs which throw and catch them can be executed. Compiled with the program if it names one.

#include <cstdarg>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>
#ifdef EVERYWAY_FUTURE
#include <future>
#endif
#ifdef EVERYWAY_FUNCTION
#include <functional>
#endif
#ifdef EVERYWAY_MEMORY
#include <memory>
#endif

namespace std {

exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }

bad_exception::~bad_exception() noexcept {}
const char *bad_exception::what() const noexcept { return "std::bad_exception"; }

#if __cplusplus >= 201103L
nested_exception::~nested_exception() noexcept {}
#endif
bad_alloc::~bad_alloc() noexcept {}
const char *bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::~bad_array_new_length() noexcept {}
const char *bad_array_new_length::what() const noexcept { return "std::bad_array_new_length"; }
bad_cast::~bad_cast() noexcept {}
const char *bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_typeid::~bad_typeid() noexcept {}
const char *bad_typeid::what() const noexcept { return "std::bad_typeid"; }

static char *copy_of(const char *text, size_t length) {
    char *copy = new char[length + 1];
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

__cow_string::__cow_string() : _M_p(copy_of("", 0)) {}
__cow_string::__cow_string(const string &text) : _M_p(copy_of(text.data(), text.size())) {}
__cow_string::__cow_string(const char *text, size_t length) : _M_p(copy_of(text, length)) {}
__cow_string::__cow_string(const __cow_string &other) noexcept : _M_p(copy_of(other._M_p, strlen(other._M_p))) {}
__cow_string &__cow_string::operator=(const __cow_string &other) noexcept {
    const char *old = _M_p;
    _M_p = copy_of(other._M_p, strlen(other._M_p));
    delete[] old;
    return *this;
}
__cow_string::~__cow_string() { delete[] _M_p; }
__cow_string::__cow_string(__cow_string &&other) noexcept : _M_p(other._M_p) { other._M_p = copy_of("", 0); }
__cow_string &__cow_string::operator=(__cow_string &&other) noexcept {
    const char *old = _M_p;
    _M_p = other._M_p;
    other._M_p = old;
    return *this;
}

logic_error::logic_error(const string &text) : _M_msg(text) {}
logic_error::logic_error(const char *text) : _M_msg(text, strlen(text)) {}
logic_error::logic_error(const logic_error &other) noexcept : exception(other), _M_msg(other._M_msg) {}
logic_error &logic_error::operator=(const logic_error &other) noexcept {
    _M_msg = other._M_msg;
    return *this;
}
logic_error::logic_error(logic_error &&other) noexcept : _M_msg(static_cast<__cow_string &&>(other._M_msg)) {}
logic_error &logic_error::operator=(logic_error &&other) noexcept {
    _M_msg = static_cast<__cow_string &&>(other._M_msg);
    return *this;
}
logic_error::~logic_error() noexcept {}
const char *logic_error::what() const noexcept { return _M_msg._M_p; }

runtime_error::runtime_error(const string &text) : _M_msg(text) {}
runtime_error::runtime_error(const char *text) : _M_msg(text, strlen(text)) {}
runtime_error::runtime_error(const runtime_error &other) noexcept : exception(other), _M_msg(other._M_msg) {}
runtime_error &runtime_error::operator=(const runtime_error &other) noexcept {
    _M_msg = other._M_msg;
    return *this;
}
runtime_error::runtime_error(runtime_error &&other) noexcept : _M_msg(static_cast<__cow_string &&>(other._M_msg)) {}
runtime_error &runtime_error::operator=(runtime_error &&other) noexcept {
    _M_msg = static_cast<__cow_string &&>(other._M_msg);
    return *this;
}
runtime_error::~runtime_error() noexcept {}
const char *runtime_error::what() const noexcept { return _M_msg._M_p; }

#define EVERYWAY_CLASS(name, base)                                                                                         \
    name::name(const string &text) : base(text) {}                                                                         \
    name::name(const char *text) : base(text) {}                                                                           \
    name::~name() noexcept {}                                                                                              \
    void __throw_##name(const char *text) { throw name(text); }
EVERYWAY_CLASS(domain_error, logic_error)
EVERYWAY_CLASS(invalid_argument, logic_error)
EVERYWAY_CLASS(length_error, logic_error)
EVERYWAY_CLASS(out_of_range, logic_error)
EVERYWAY_CLASS(range_error, runtime_error)
EVERYWAY_CLASS(overflow_error, runtime_error)
EVERYWAY_CLASS(underflow_error, runtime_error)

#ifdef EVERYWAY_FUNCTION
bad_function_call::~bad_function_call() noexcept {}
const char *bad_function_call::what() const noexcept { return "bad_function_call"; }
void __throw_bad_function_call() { throw bad_function_call(); }
#endif
#ifdef EVERYWAY_MEMORY
bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }
#endif

void __throw_logic_error(const char *text) { throw logic_error(text); }
void __throw_runtime_error(const char *text) { throw runtime_error(text); }
void __throw_out_of_range_fmt(const char *text, ...) { throw out_of_range(text); }
void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }

error_category::~error_category() {}
error_condition error_category::default_error_condition(int value) const noexcept { return error_condition(value, *this); }
bool error_category::equivalent(int value, const error_condition &condition) const noexcept {
    return default_error_condition(value) == condition;
}
bool error_category::equivalent(const error_code &code, int value) const noexcept {
    return *this == code.category() && code.value() == value;
}
error_condition error_code::default_error_condition() const noexcept {
    return category().default_error_condition(value());
}

namespace {
struct everyway_category final : error_category {
    const char *called;
    explicit everyway_category(const char *called) : called(called) {}
    const char *name() const noexcept override { return called; }
    string message(int) const override { return called; }
};
}

inline namespace _V2 {
const error_category &generic_category() noexcept {
    static const everyway_category category("generic");
    return category;
}
const error_category &system_category() noexcept {
    static const everyway_category category("system");
    return category;
}
}
system_error::~system_error() noexcept {}
void __throw_system_error(int value) { throw system_error(error_code(value, generic_category())); }

#ifdef EVERYWAY_FUTURE
const error_category &future_category() noexcept {
    static const everyway_category category("future");
    return category;
}
future_error::~future_error() noexcept {}
const char *future_error::what() const noexcept { return logic_error::what(); }
void __throw_future_error(int value) { throw future_error(make_error_code(future_errc(value))); }
#endif

}
