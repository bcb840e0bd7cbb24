// `std::call_once` as libstdc++ has it, on top of a `pthread_once` that an exception may leave: then the next one calls
// its function, as glibc does it.

extern "C" {
int __everyway_once_begin(int *once);
void __everyway_once_end(int *once, int is_done);
}

namespace std {
__thread void *__once_callable;
__thread void (*__once_call)();
}

extern "C" void __once_proxy() { std::__once_call(); }

extern "C" int pthread_once(int *once, void (*function)()) {
    if (!__everyway_once_begin(once))
        return 0;
#if __cpp_exceptions
    try {
        function();
    } catch (...) {
        __everyway_once_end(once, 0);
        throw;
    }
#else
    function();
#endif
    __everyway_once_end(once, 1);
    return 0;
}
