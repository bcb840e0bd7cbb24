// What comes before a C++ program, for libstdc++.
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>

// `std::string`, which libstdc++ has compiled in its library, is compiled with the program. (The value stands for just that.)
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1

// A `shared_ptr` looks at its two counters one by one, as it does for a sanitizer of threads, rather than at both in one access of
// another size.
#undef _GLIBCXX_TSAN
#define _GLIBCXX_TSAN 1

// Sleeping takes no time here. (The library's own function asks the system again and again how much time is left. These are taken rather than
// that because they are for certain units.)
#if __cplusplus >= 201103L
struct timespec;
extern "C" int nanosleep(const struct timespec *, struct timespec *);

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <__INTMAX_TYPE__, __INTMAX_TYPE__> struct ratio;
namespace chrono {
template <typename, typename> struct duration;
}
namespace this_thread {
template <typename _Rep> inline void sleep_for(const chrono::duration<_Rep, ratio<1, 1000000000>> &) { ::nanosleep(0, 0); }
template <typename _Rep> inline void sleep_for(const chrono::duration<_Rep, ratio<1, 1000000>> &) { ::nanosleep(0, 0); }
template <typename _Rep> inline void sleep_for(const chrono::duration<_Rep, ratio<1, 1000>> &) { ::nanosleep(0, 0); }
template <typename _Rep> inline void sleep_for(const chrono::duration<_Rep, ratio<1, 1>> &) { ::nanosleep(0, 0); }
template <typename _Rep> inline void sleep_for(const chrono::duration<_Rep, ratio<60, 1>> &) { ::nanosleep(0, 0); }
} // namespace this_thread
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif

#if __cplusplus >= 201103L
extern "C" {
// Waits until the counter is 0.
void __everyway_latch_count_down(void *counter, long update) noexcept;
void __everyway_latch_wait(const void *counter) noexcept;

// It has been waited in vain until this time, or for it, in nanoseconds.
void __everyway_has_passed(long time, bool from_now) noexcept;
}

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace chrono {
template <typename, typename> struct time_point;
}

namespace __detail {
template <typename _Rep, __INTMAX_TYPE__ _Num, __INTMAX_TYPE__ _Den>
inline long __nanoseconds(const chrono::duration<_Rep, ratio<_Num, _Den>> &__time) {
    return static_cast<long>(__time.count() * (1000000000L / _Den * _Num));
}

template <typename _Clock, typename _Duration>
inline void __has_passed(const chrono::time_point<_Clock, _Duration> &__time) {
    __everyway_has_passed(__detail::__nanoseconds(__time.time_since_epoch()), false);
}

template <typename _Rep, typename _Period>
inline void __has_passed(const chrono::duration<_Rep, _Period> &__time) {
    __everyway_has_passed(__detail::__nanoseconds(__time), true);
}
} // namespace __detail
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif

// Whether a wait on a condition variable has given up is what the function says that waits. The library asks the clock instead, which tells
// the same here: a wait that has given up has lasted as long as it was to. (In `<condition_variable>`, this name has three arguments,
// as there is a comma in a type, where a function is defined, and two where one is called. To the definition of each, one is added that
// is called in its place. Which clock is meant makes no difference where no time passes.)
#if __cplusplus >= 201103L && _GLIBCXX_RELEASE >= 9 && _GLIBCXX_RELEASE <= 14
#define __everyway_chosen(_1, _2, _3, _Chosen, ...) _Chosen
#define __everyway_called(_Lock, _Time) __everyway_wait_until(_Lock, _Time)
#define __everyway_defined(_Lock, _Clock, _Time)                                                                                        \
    __everyway_wait_until(_Lock, _Clock, _Time) {                                                                                       \
        const auto __s = chrono::time_point_cast<chrono::seconds>(__atime);                                                             \
        const auto __ns = chrono::duration_cast<chrono::nanoseconds>(__atime - __s);                                                    \
        const __gthread_time_t __ts = {static_cast<std::time_t>(__s.time_since_epoch().count()), static_cast<long>(__ns.count())};      \
        return pthread_cond_timedwait(native_handle(), __lock.mutex()->native_handle(), &__ts) == 0 ? cv_status::no_timeout             \
                                                                                                    : cv_status::timeout;               \
    }                                                                                                                                   \
    template <typename _Dur> cv_status __wait_until_impl(_Lock, _Clock, _Time)
#define __wait_until_impl(...) __everyway_chosen(__VA_ARGS__, __everyway_defined, __everyway_called, 0)(__VA_ARGS__)
#endif

// What a future waits for, as one number which is 0 once it is there: who waits need not be woken, and looks again for some time to the same
// effect as once.
#if __cplusplus >= 201103L && defined _GLIBCXX_HAVE_LINUX_FUTEX && _GLIBCXX_RELEASE >= 9 && _GLIBCXX_RELEASE <= 14
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <unsigned> class __atomic_futex_unsigned;

template <> class __atomic_futex_unsigned<0x80000000> {
    unsigned _M_left;

  public:
    explicit __atomic_futex_unsigned(unsigned __is_there) : _M_left(!__is_there) {}

    template <typename _Order> unsigned _M_load(_Order) { return __atomic_load_n(&_M_left, __ATOMIC_ACQUIRE) == 0; }

    template <typename _Order> void _M_load_when_equal(unsigned, _Order) { __everyway_latch_wait(&_M_left); }

    template <typename _Order, typename _Time> bool _M_load_when_equal_for(unsigned, _Order, const _Time &__time) {
        return _M_load_when_equal_until(1, 0, __time);
    }

    template <typename _Order, typename _Time> bool _M_load_when_equal_until(unsigned, _Order, const _Time &__time) {
        if (_M_load(0))
            return true;
        __detail::__has_passed(__time);
        return false;
    }

    template <typename _Order> void _M_store_notify_all(unsigned, _Order) { __everyway_latch_count_down(&_M_left, 1); }
};
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif

// Waiting for an atomic value to change as the standard has it, in the place of `bits/atomic_wait.h`. The library counts who waits to
// spare itself calls of the system, shares these counters among addresses, wakes all where one is to be woken if a value has not the size of
// an `int`, and tries some times before it waits; programs cannot rely on any of this.
#if __cplusplus > 201703L && defined _GLIBCXX_HAVE_LINUX_FUTEX && _GLIBCXX_RELEASE >= 11 && _GLIBCXX_RELEASE <= 14
#define _GLIBCXX_ATOMIC_WAIT_H 1
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1
#define _GLIBCXX_HAVE_PLATFORM_WAIT 1
#define __cpp_lib_atomic_wait 201907L
#include <bits/functexcept.h>
#include <ext/numeric_traits.h>

extern "C" {
// Waits while the value of this size is `old`, until notified; returns at once if it differs.
void __everyway_wait(const void *address, unsigned long size, unsigned long old) noexcept;
void __everyway_notify(const void *address, bool all) noexcept;

void __everyway_semaphore_release(void *counter, long update) noexcept;
void __everyway_semaphore_acquire(const void *counter) noexcept;
bool __everyway_semaphore_try_acquire(const void *counter) noexcept;

void __everyway_barrier_init(void *barrier, long expected) noexcept;
// Twice the phase, and one more if the caller is to complete it.
unsigned long __everyway_barrier_arrive(void *barrier, long update, bool drops, bool completes) noexcept;
void __everyway_barrier_complete(void *barrier, unsigned long phase) noexcept;
void __everyway_barrier_wait(const void *barrier, unsigned long phase) noexcept;
void __everyway_barrier_destroy(void *barrier) noexcept;
}

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail {

using __platform_wait_t = int;
inline constexpr size_t __platform_wait_alignment = 4;

inline void __thread_yield() noexcept {}
inline void __thread_relax() noexcept {}

struct __default_spin_policy {
    bool operator()() const noexcept { return false; }
};

// Only semaphores try like this, with a function that has nothing but their address, which is that of their counter.
template <typename _Pred, typename _Spin = __default_spin_policy>
bool __atomic_spin(_Pred &__pred, _Spin = _Spin{}) noexcept {
    return __everyway_semaphore_try_acquire(__builtin_bit_cast(const void *, __pred));
}

template <typename _Tp> bool __atomic_compare(const _Tp &__a, const _Tp &__b) {
    return __builtin_memcmp(&__a, &__b, sizeof(_Tp)) == 0;
}

// What is notified for values that are too large to be waited for.
template <typename _Tp> struct __version {
    static inline unsigned _S_value = 0;
};

template <typename _Tp>
inline constexpr bool __is_waited_for = sizeof(_Tp) == 1 || sizeof(_Tp) == 2 || sizeof(_Tp) == 4 || sizeof(_Tp) == 8;

template <typename _Tp> unsigned long __bits(const _Tp &__value) {
    unsigned long __bits = 0;
    __builtin_memcpy(&__bits, &__value, sizeof(_Tp));
    return __bits;
}
} // namespace __detail

template <typename _Tp, typename _ValFn>
void __atomic_wait_address_v(const _Tp *__addr, _Tp __old, _ValFn __vfn) noexcept {
    if constexpr (__detail::__is_waited_for<_Tp>) {
        do
            __everyway_wait(__addr, sizeof(_Tp), __detail::__bits(__old));
        while (__detail::__atomic_compare(__old, __vfn()));
    } else {
        unsigned *__version = &__detail::__version<_Tp>::_S_value;
        for (;;) {
            unsigned __before = __atomic_load_n(__version, __ATOMIC_SEQ_CST);
            if (!__detail::__atomic_compare(__old, __vfn()))
                return;
            __everyway_wait(__version, sizeof *__version, __before);
        }
    }
}

template <typename _Tp, typename _Pred> void __atomic_wait_address(const _Tp *__addr, _Pred __pred) noexcept {
    static_assert(__detail::__is_waited_for<_Tp>);
    for (;;) {
        _Tp __value;
        __atomic_load(__addr, &__value, __ATOMIC_ACQUIRE);
        if (__pred())
            return;
        __everyway_wait(__addr, sizeof(_Tp), __detail::__bits(__value));
    }
}

// Only latches wait like this at a number of this type, for their counters to be 0.
template <typename _Pred> void __atomic_wait_address(const __detail::__platform_wait_t *__counter, _Pred) noexcept {
    __everyway_latch_wait(__counter);
}

enum class memory_order : int;
namespace __atomic_impl {
// Only latches subtract a number of this type from one of that, and only semaphores add one. Those who wait need not be woken: what
// was there before is never what tells them to.
inline int fetch_sub(__detail::__platform_wait_t *__counter, ptrdiff_t __update, memory_order) noexcept {
    __everyway_latch_count_down(__counter, __update);
    return __INT_MAX__;
}
inline int fetch_add(__detail::__platform_wait_t *__counter, ptrdiff_t __update, memory_order) noexcept {
    __everyway_semaphore_release(__counter, __update);
    return __INT_MAX__;
}
} // namespace __atomic_impl

// Only semaphores wait like this, at their counters.
template <typename _Pred> void __atomic_wait_address_bare(const __detail::__platform_wait_t *__counter, _Pred) noexcept {
    __everyway_semaphore_acquire(__counter);
}

// To wait for a while is to try, at some time.
template <typename _Pred, typename _Time>
bool __atomic_wait_address_until_bare(const __detail::__platform_wait_t *__counter, _Pred, const _Time &__time) noexcept {
    if (__everyway_semaphore_try_acquire(__counter))
        return true;
    __detail::__has_passed(__time);
    return false;
}

template <typename _Pred, typename _Time>
bool __atomic_wait_address_for_bare(const __detail::__platform_wait_t *__counter, _Pred __pred, const _Time &__time) noexcept {
    return std::__atomic_wait_address_until_bare(__counter, __pred, __time);
}

template <typename _Tp> void __atomic_notify_address(const _Tp *__addr, bool __all) noexcept {
    if constexpr (__detail::__is_waited_for<_Tp>) {
        __everyway_notify(__addr, __all);
    } else {
        unsigned *__version = &__detail::__version<_Tp>::_S_value;
        __atomic_fetch_add(__version, 1, __ATOMIC_SEQ_CST);
        __everyway_notify(__version, true);
    }
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t *__addr, bool __all) noexcept {
    __everyway_notify(__addr, __all);
}

// What `std::barrier` is made of. The library's own is a tree of tickets, for which each thread looks in a place that its number tells;
// this one is what the standard says. As it has a constraint, it is taken rather than the library's, which has none.
struct __empty_completion;
template <typename> class __tree_barrier;

template <typename _CompletionF>
    requires true
class __tree_barrier<_CompletionF> {
    static constexpr bool _S_completes = !__is_same(_CompletionF, __empty_completion);
    _CompletionF _M_completion;

    unsigned long _M_arrive(long __update, bool __drops) {
        unsigned long __arrived = __everyway_barrier_arrive(this, __update, __drops, _S_completes);
        if constexpr (_S_completes) {
            if (__arrived & 1) {
                _M_completion();
                __everyway_barrier_complete(this, __arrived >> 1);
            }
        }
        return __arrived >> 1;
    }

  public:
    using arrival_token = unsigned long;

    static constexpr ptrdiff_t max() noexcept { return __PTRDIFF_MAX__; }

    __tree_barrier(ptrdiff_t __expected, _CompletionF __completion)
        : _M_completion(static_cast<_CompletionF &&>(__completion)) {
        __everyway_barrier_init(this, __expected);
    }
    __tree_barrier(const __tree_barrier &) = delete;
    ~__tree_barrier() { __everyway_barrier_destroy(this); }

    [[nodiscard]] arrival_token arrive(ptrdiff_t __update) { return _M_arrive(__update, false); }
    void wait(arrival_token &&__phase) const { __everyway_barrier_wait(this, __phase); }
    void arrive_and_drop() { _M_arrive(1, true); }
};
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif
#endif
