// What the library keeps inside of an object, and what an empty deque allocates, as JSON.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <string>

static long allocations, bytes;

void* operator new(std::size_t size) {
    ++allocations;
    bytes += long(size);
    return std::malloc(size);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

template <std::size_t Size>
bool kept() {
    allocations = 0;
    std::array<char, Size> captured{};
    std::function<int()> f = [captured] { return captured[0]; };
    keep(f);
    return allocations == 0;
}

int main() {
    int text = 0;
    for (int n = 0; n < 64; ++n) {
        allocations = 0;
        std::string s(std::size_t(n), 'x');
        keep(s);
        if (allocations == 0) text = n;
    }
    const int function = kept<32>() ? 32 : kept<24>() ? 24 : kept<16>() ? 16 : kept<8>() ? 8 : 0;
    auto shared = std::make_shared<int>(1);
    allocations = 0;
    std::function<int()> holder = [shared] { return *shared; };
    keep(holder);
    const long shared_allocations = allocations;
    allocations = bytes = 0;
    std::deque<int> d;
    keep(d);
    const long empty = allocations, empty_bytes = bytes;
    d.push_back(1);
    keep(d);
    std::printf("{\"string\": %d, \"function\": %d, \"shared\": %ld, \"deque\": %ld, \"deque_bytes\": %ld, "
                "\"deque_one\": %ld}\n",
                text, function, shared_allocations, empty, empty_bytes, bytes);
}
