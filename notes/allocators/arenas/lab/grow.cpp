// What std::pmr keeps and copies, in bytes and calls, as JSON.
//   grow vector ELEMENTS   push_back into a vector, and append to a string
//   grow lives ROUNDS      100 objects of a round that die, one that stays
//   grow rounds ROUNDS     the same memory for each round: given back, or kept
//   grow copies            where copies, moves and strings of std go
#include "arena.hpp"
#include <cstdio>
#include <cstring>
#include <memory_resource>
#include <new>
#include <string>
#include <sys/resource.h>
#include <vector>

struct Counting : std::pmr::memory_resource {
    std::size_t asked = 0, live = 0, peak = 0, calls = 0;
    memory_resource* next;
    explicit Counting(memory_resource* to = std::pmr::new_delete_resource()) : next(to) {}
    void* do_allocate(std::size_t n, std::size_t alignment) override
    {
        asked += n, live += n, ++calls;
        peak = live > peak ? live : peak;
        return next->allocate(n, alignment);
    }
    void do_deallocate(void* p, std::size_t n, std::size_t alignment) override
    {
        live -= n;
        next->deallocate(p, n, alignment);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

static long faults()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static void fill(std::pmr::vector<int>& numbers, int elements)
{
    for (int i = 0; i < elements; i++)
        numbers.push_back(i);
}

template <class Resource>
static void vector_in(const char* name, int elements, bool reserved)
{
    Counting below;
    Resource resource(&below);
    std::pmr::vector<int> numbers(&resource);
    if (reserved)
        numbers.reserve(elements);
    fill(numbers, elements);
    std::printf("\"%s\": %zu, ", name, below.live);
}

static int grow_vector(int elements)
{
    std::printf("{\"needed\": %zu, ", elements * sizeof(int));
    Counting heap;
    std::pmr::vector<int> numbers(&heap);
    fill(numbers, elements);
    std::printf("\"capacity\": %zu, \"heap_peak\": %zu, ", numbers.capacity() * sizeof(int), heap.peak);
    vector_in<std::pmr::monotonic_buffer_resource>("monotonic", elements, false);
    vector_in<std::pmr::monotonic_buffer_resource>("reserved", elements, true);
    vector_in<std::pmr::unsynchronized_pool_resource>("pool", elements, false);
    vector_in<std::pmr::unsynchronized_pool_resource>("small", 1000, false); // a chunk for each size
    Counting below, asked(nullptr);
    std::pmr::monotonic_buffer_resource resource(&below);
    asked.next = &resource;
    std::pmr::vector<int> again(&asked);
    fill(again, elements);
    std::printf("\"asked\": %zu, ", asked.asked); // of the arena, by the vector
    Counting for_text;
    std::pmr::monotonic_buffer_resource holds(&for_text);
    std::pmr::string text(&holds);
    for (int i = 0; i < elements; i++)
        text += "0123"; // a string as long as the vector
    std::printf("\"string\": %zu}\n", for_text.live);
    return 0;
}

static int grow_lives(int rounds)
{
    constexpr std::size_t size = 64;
    constexpr int dying = 100;
    const auto n = static_cast<std::size_t>(rounds);
    Counting one, split_short, split_long, held;
    {
        std::pmr::monotonic_buffer_resource all(&one);
        std::pmr::monotonic_buffer_resource of_round(&split_short), stays(&split_long);
        for (std::size_t i = 0; i < n; i++) {
            for (int j = 0; j < dying; j++) {
                std::memset(all.allocate(size, 8), 1, size);
                std::memset(of_round.allocate(size, 8), 1, size);
            }
            std::memset(all.allocate(size, 8), 1, size);
            std::memset(stays.allocate(size, 8), 1, size);
            of_round.release();
        }
        std::vector<std::pmr::monotonic_buffer_resource*> rounds_kept;
        for (std::size_t i = 0; i < n; i++) {
            rounds_kept.push_back(new std::pmr::monotonic_buffer_resource(&held));
            for (int j = 0; j < dying + 1; j++)
                std::memset(rounds_kept.back()->allocate(size, 8), 1, size);
        }
        std::printf("{\"live\": %zu, \"one\": %zu, \"split\": %zu, \"held\": %zu}\n", n * size,
                    one.peak, split_short.peak + split_long.peak, held.peak);
        for (auto* resource : rounds_kept)
            delete resource;
    }
    return 0;
}

// Calls to malloc and page faults of all rounds but the first.
template <class Round>
static void rounds_of(const char* name, int rounds, const std::size_t& calls, Round round)
{
    round();
    const std::size_t called = calls;
    const long missed = faults();
    for (int i = 1; i < rounds; i++)
        round();
    std::printf("\"%s_calls\": %zu, \"%s_faults\": %ld, ", name, (calls - called) / (rounds - 1),
                name, (faults() - missed) / (rounds - 1));
}

static int grow_rounds(int rounds)
{
    constexpr std::size_t size = 64, objects = 16384; // 1 MiB in a round
    std::printf("{");
    Counting below, with_buffer;
    std::pmr::monotonic_buffer_resource resource(&below);
    rounds_of("release", rounds, below.calls, [&] {
        for (std::size_t i = 0; i < objects; i++)
            std::memset(resource.allocate(size, 8), 1, size);
        resource.release();
    });
    std::vector<char> buffer(size * objects);
    std::pmr::monotonic_buffer_resource kept(buffer.data(), buffer.size(), &with_buffer);
    rounds_of("buffer", rounds, with_buffer.calls, [&] {
        for (std::size_t i = 0; i < objects; i++)
            std::memset(kept.allocate(size, 8), 1, size);
        kept.release();
    });
    Arena arena;
    rounds_of("reset", rounds, arena.blocks, [&] {
        for (std::size_t i = 0; i < objects; i++)
            std::memset(arena.take(size, 8), 1, size);
        arena.reset();
    });
    std::printf("\"rounds\": %d}\n", rounds);
    return 0;
}

static std::size_t news = 0;
void* operator new(std::size_t n)
{
    ++news;
    if (void* p = std::malloc(n))
        return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

static int grow_copies()
{
    const char* words = "longer than the fifteen characters that a string holds itself";
    Counting by_default, first, second;
    std::pmr::set_default_resource(&by_default);
    using Words = std::pmr::vector<std::pmr::string>;
    Words here(&first);
    here.reserve(1000);
    for (int i = 0; i < 1000; i++)
        here.emplace_back(words);
    std::printf("{\"inner\": %zu, ", first.calls); // the strings follow the vector
    Words copy = here;
    std::printf("\"copy_default\": %zu, ", by_default.calls);
    const std::size_t before = first.calls;
    Words moved = std::move(here); // move construction takes the resource along
    std::printf("\"move_construct\": %zu, ", first.calls - before + second.calls);
    Words there(&second);
    there = std::move(moved); // move assignment to another resource copies
    std::printf("\"move_assign\": %zu, ", second.calls);
    std::pmr::monotonic_buffer_resource arena(&first);
    std::pmr::vector<std::string> mixed(&arena); // std::string knows nothing of the arena
    mixed.reserve(1000);
    const std::size_t made = news;
    for (int i = 0; i < 1000; i++)
        mixed.emplace_back(words);
    std::printf("\"std_strings\": %zu}\n", news - made);
    std::pmr::set_default_resource(nullptr);
    return 0;
}

int main(int count, char** words)
{
    const std::string what = count > 1 ? words[1] : "";
    const int n = count > 2 ? std::atoi(words[2]) : 0;
    if (what == "vector" && n > 0)
        return grow_vector(n);
    if (what == "lives" && n > 0)
        return grow_lives(n);
    if (what == "rounds" && n > 1)
        return grow_rounds(n);
    if (what == "copies")
        return grow_copies();
    std::fputs("grow vector|lives|rounds N, or grow copies\n", stderr);
    return 2;
}
