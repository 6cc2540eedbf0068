// What an object costs: taking it, giving all back, and the bytes behind it.
//   count KIND OBJECTS           for callgrind, functions take_all and give_all
//   count bytes KIND OBJECTS     as JSON
// KIND: malloc, arena, obstack, monotonic, pool, locked; for callgrind also churn-malloc,
// churn-pool, churn-locked (each object is given back before the next one) and the lists
// list, list-monotonic, and list-winked, which is never destroyed.
#include "arena.hpp"
#include <cstdio>
#include <functional>
#include <list>
#include <memory_resource>
#include <obstack.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

struct Node { // the header of an object of some size
    Node* next;
    std::uint64_t size;
};

static std::size_t size_of(unsigned i) // 24, 32, ... 120 bytes, all equally often
{
    return 24 + 8 * (i * 5 % 13);
}

struct Counting : std::pmr::memory_resource {
    std::size_t bytes = 0, calls = 0;
    void* do_allocate(std::size_t n, std::size_t alignment) override
    {
        bytes += n, ++calls;
        return std::pmr::new_delete_resource()->allocate(n, alignment);
    }
    void do_deallocate(void* p, std::size_t n, std::size_t alignment) override
    {
        std::pmr::new_delete_resource()->deallocate(p, n, alignment);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// Two names that callgrind finds; what they call is counted with them.
extern "C" [[gnu::noinline]] void take_phase(void (*work)(void*), void* with) { work(with); }
extern "C" [[gnu::noinline]] void give_phase(void (*work)(void*), void* with) { work(with); }

template <class Work>
static void phase(void (*named)(void (*)(void*), void*), Work work)
{
    named([](void* with) { (*static_cast<Work*>(with))(); }, &work);
}

template <class Take>
static Node* take_all(unsigned objects, Take take)
{
    Node* head = nullptr;
    phase(take_phase, [&] {
        for (unsigned i = 0; i < objects; i++) {
            const std::size_t size = size_of(i);
            auto* node = static_cast<Node*>(take(size));
            *node = {head, size};
            head = node;
        }
    });
    return head;
}

template <class Give>
static void give_all(Node* head, Give give) // object by object
{
    phase(give_phase, [=] {
        for (Node* node = head; node;) {
            Node* next = node->next;
            give(node, node->size);
            node = next;
        }
    });
}

static long resident()
{
    long size = 0, pages = 0;
    FILE* file = std::fopen("/proc/self/statm", "r");
    if (!file || std::fscanf(file, "%ld %ld", &size, &pages) != 2)
        std::abort();
    std::fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static long faults()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static Counting upstream;
static Arena arena;
static obstack stack;

// One kind: takes all, calls `between`, gives all back.
static void run(const std::string& kind, unsigned objects, const std::function<void()>& between)
{
    if (kind == "malloc") {
        Node* head = take_all(objects, [](std::size_t n) { return std::malloc(n); });
        between();
        give_all(head, [](Node* node, std::size_t) { std::free(node); });
    } else if (kind == "arena") {
        take_all(objects, [](std::size_t n) { return arena.take(n, 8); });
        between();
        phase(give_phase, [] { arena.reset(); });
    } else if (kind == "obstack") {
        obstack_init(&stack);
        take_all(objects, [](std::size_t n) { return obstack_alloc(&stack, n); });
        between();
        phase(give_phase, [] { obstack_free(&stack, nullptr); });
    } else if (kind == "monotonic") {
        std::pmr::monotonic_buffer_resource resource(&upstream);
        std::pmr::memory_resource* any = &resource;
        asm("" : "+r"(any)); // the compiler must not know which resource it is
        take_all(objects, [any](std::size_t n) { return any->allocate(n, 8); });
        between();
        phase(give_phase, [&] { resource.release(); });
    } else {
        std::pmr::unsynchronized_pool_resource pool(&upstream);
        std::pmr::synchronized_pool_resource locked(&upstream);
        std::pmr::memory_resource* any = &pool;
        if (kind == "locked")
            any = &locked;
        Node* head = take_all(objects, [any](std::size_t n) { return any->allocate(n, 8); });
        between();
        give_all(head, [any](Node* node, std::size_t n) { any->deallocate(node, n, 8); });
    }
}

template <class Take, class Give>
static void churn(unsigned objects, Take take, Give give)
{
    phase(take_phase, [&] {
        for (unsigned i = 0; i < objects; i++) {
            auto* node = static_cast<Node*>(take(size_of(i)));
            *node = {nullptr, size_of(i)};
            give(node, node->size);
        }
    });
}

static void run_churn(std::pmr::memory_resource* any, unsigned objects)
{
    churn(objects, [any](std::size_t n) { return any->allocate(n, 8); },
          [any](Node* node, std::size_t n) { any->deallocate(node, n, 8); });
}

template <class List, class... Where>
static void run_list(unsigned objects, bool end, Where... where)
{
    alignas(List) static unsigned char place[sizeof(List)];
    auto* list = new (place) List(where...);
    phase(take_phase, [=] {
        for (unsigned i = 0; i < objects; i++)
            list->push_back(i);
    });
    phase(give_phase, [=] {
        if (end)
            list->~List();
    });
}

int main(int count, char** words)
{
    const std::string first = count > 2 ? words[1] : "";
    const auto objects = static_cast<unsigned>(count > 2 ? std::atoi(words[count - 1]) : 0);
    if (first == "bytes") {
        std::size_t requested = 0;
        for (unsigned i = 0; i < objects; i++)
            requested += size_of(i);
        resident();
        const long before = resident(), missed = faults();
        long grown = 0, touched = 0;
        run(words[2], objects, [&] { grown = resident() - before, touched = faults() - missed; });
        std::printf("{\"requested\": %zu, \"resident\": %ld, \"faults\": %ld, \"calls\": %zu}\n",
                    requested, grown, touched, arena.blocks + upstream.calls);
    } else if (first == "churn-malloc") {
        churn(objects, [](std::size_t n) { return std::malloc(n); },
              [](Node* node, std::size_t) { std::free(node); });
    } else if (first == "churn-pool") {
        std::pmr::unsynchronized_pool_resource pool;
        run_churn(&pool, objects);
    } else if (first == "churn-locked") {
        std::pmr::synchronized_pool_resource pool;
        run_churn(&pool, objects);
    } else if (first == "list") {
        run_list<std::list<long>>(objects, true);
    } else if (first == "list-monotonic" || first == "list-winked") {
        std::pmr::monotonic_buffer_resource resource;
        run_list<std::pmr::list<long>>(objects, first == "list-monotonic", &resource);
    } else if (!first.empty()) {
        run(first, objects, [] {});
    } else {
        std::fputs("count [bytes] KIND OBJECTS\n", stderr);
        return 2;
    }
}
