// Counts allocations by operator new, and prints what was counted as one JSON object.
#include "count.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <string>

Counts counts;

namespace {
std::map<std::string, double>& printed() {
    static std::map<std::string, double> all;
    return all;
}
}  // namespace

Measure::~Measure() {
    const Counts seen = counts;
    CALLGRIND_DUMP_STATS_AT(name_);
    const std::string name = name_;
    report((name + "_allocations").c_str(), seen.allocations);
    report((name + "_bytes").c_str(), seen.bytes);
    report((name + "_copies").c_str(), seen.copies);
    report((name + "_moves").c_str(), seen.moves);
    report((name + "_compares").c_str(), seen.compares);
}

void report(const char* name, double value) { printed()[name] = value; }

void* operator new(std::size_t size) {
    ++counts.allocations;
    counts.bytes += static_cast<long>(size);
    if (void* block = std::malloc(size)) return block;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

int main() {
    run();
    run();
    const char* before = "{";
    for (const auto& [name, value] : printed()) {
        std::printf("%s\"%s\": %.0f", before, name.c_str(), value);
        before = ", ";
    }
    std::puts("}");
}
