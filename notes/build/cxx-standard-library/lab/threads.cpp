// Starts short tasks with std::async, or shows whether the C library still counts as single-threaded.
#include <sys/single_threaded.h>

#include <cstdio>
#include <future>
#include <string_view>
#include <thread>

int main(int count, char** arguments) {
    const std::string_view mode = count > 1 ? arguments[1] : "";
    if (mode == "state") {
        std::printf("{\"before\": %d", __libc_single_threaded);
        std::thread([] {}).join();
        std::printf(", \"after\": %d}\n", __libc_single_threaded);
        return 0;
    }
    const auto policy = mode == "deferred" ? std::launch::deferred
                        : mode == "async"  ? std::launch::async
                                           : std::launch::async | std::launch::deferred;
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += std::async(policy, [i] { return i; }).get();
    return sum != 4950;
}
