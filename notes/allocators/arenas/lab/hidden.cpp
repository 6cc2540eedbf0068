// Errors inside an arena: hidden ERROR WHERE, and what a tool says of them is counted.
//   ERROR: none, overflow (a byte behind an object), stale (read after the release)
//   WHERE: arena (std::pmr's), heap (the same code on new and delete), checked (the arena
//          behind a resource that tells ASan or Memcheck which bytes are in use)
// hidden leak OBJECTS      objects with a std::string; arena freed, no destructor runs
// hidden pile OBJECTS      objects nobody needs any more, in an arena that lives on
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <new>
#include <string>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define DENY(at, size) ASAN_POISON_MEMORY_REGION(at, size)
#define ALLOW(at, size) ASAN_UNPOISON_MEMORY_REGION(at, size)
#else
#include <valgrind/memcheck.h>
#define DENY(at, size) VALGRIND_MAKE_MEM_NOACCESS(at, size)
#define ALLOW(at, size) VALGRIND_MAKE_MEM_UNDEFINED(at, size)
#endif

class Checked : public std::pmr::memory_resource { // wraps an arena
    static constexpr std::size_t gap = 16;         // nobody may touch it
    std::pmr::memory_resource* arena;

    void* do_allocate(std::size_t n, std::size_t alignment) override
    {
        const std::size_t rounded = (n + 7) & ~std::size_t{7}; // ASan marks groups of 8 bytes
        void* p = arena->allocate(rounded + gap, alignment < 8 ? 8 : alignment);
        DENY(p, rounded + gap);
        ALLOW(p, n);
        return p;
    }
    void do_deallocate(void* p, std::size_t n, std::size_t alignment) override
    {
        DENY(p, n);
        arena->deallocate(p, n, alignment);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

public:
    explicit Checked(std::pmr::memory_resource* wrapped) : arena(wrapped) {}
};

static int with(std::pmr::memory_resource* resource, const std::string& error)
{
    auto* one = static_cast<char*>(resource->allocate(40, 8));
    auto* two = static_cast<char*>(resource->allocate(40, 8));
    std::memset(one, 1, 40);
    std::memset(two, 2, 40);
    volatile char* at = one;
    if (error == "overflow")
        at[40] = 7;
    resource->deallocate(one, 40, 8);
    int read = 0;
    if (error == "stale")
        read = at[0];
    resource->deallocate(two, 40, 8);
    return read < 0;
}

struct Named {
    std::string name;
    explicit Named(const char* words) : name(words) {}
};

static std::pmr::monotonic_buffer_resource lasting;

int main(int count, char** words)
{
    const std::string first = count > 2 ? words[1] : "", second = count > 2 ? words[2] : "";
    std::pmr::monotonic_buffer_resource arena;
    if (first == "leak") {
        for (int i = 0; i < std::atoi(words[2]); i++)
            new (arena.allocate(sizeof(Named), alignof(Named))) Named("a name of forty characters, on the heap.");
        return 0; // the arena gives its blocks back here
    }
    if (first == "pile") {
        for (int i = 0; i < std::atoi(words[2]); i++)
            std::memset(lasting.allocate(64, 8), 1, 64);
        std::_Exit(std::fflush(nullptr)); // as a server that is stopped
    }
    Checked checked(&arena);
    if (second == "heap")
        return with(std::pmr::new_delete_resource(), first);
    if (second == "checked")
        return with(&checked, first);
    return with(&arena, first);
}
