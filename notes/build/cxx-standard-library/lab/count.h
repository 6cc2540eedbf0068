// What a piece of code does, in counts. Instructions are callgrind's: each piece ends with a dump of its
// own, which has the piece's name. Allocations, copies, moves and comparisons are counted here.
#pragma once
#include <valgrind/callgrind.h>

#include <cstddef>

struct Counts {
    long allocations, bytes, copies, moves, compares;
};
extern Counts counts;

// From its construction to its destruction, everything is counted under one name.
class Measure {
public:
    explicit Measure(const char* name) : name_(name) {
        counts = Counts{};
        CALLGRIND_ZERO_STATS;
    }
    ~Measure();
    Measure(const Measure&) = delete;

private:
    const char* name_;
};

// A number to be printed with the counts.
void report(const char* name, double value);

// Tells the compiler that somebody looks at the object.
template <class T>
inline void keep(T const& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

// An element that counts what is done to it.
struct Item {
    int value;
    explicit Item(int v = 0) noexcept : value(v) {}
    Item(const Item& other) : value(other.value) { ++counts.copies; }
    Item(Item&& other) noexcept : value(other.value) { ++counts.moves; }
    Item& operator=(const Item& other) {
        value = other.value;
        ++counts.copies;
        return *this;
    }
    Item& operator=(Item&& other) noexcept {
        value = other.value;
        ++counts.moves;
        return *this;
    }
    ~Item() {}
    friend bool operator==(const Item& a, const Item& b) {
        ++counts.compares;
        return a.value == b.value;
    }
};

// The same, but its moves do not promise that they throw nothing.
struct Careless : Item {
    explicit Careless(int v = 0) : Item(v) {}
    Careless(const Careless&) = default;
    Careless(Careless&& other) noexcept(false) : Item(static_cast<Item&&>(other)) {}
};

// Runs everything twice, so that nothing is counted that happens only the first time.
void run();
