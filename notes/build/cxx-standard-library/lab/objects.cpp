// Functions, shared pointers, exceptions, sorting, and values that are copied unseen.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "count.h"

namespace {
constexpr int many = 1000;

void functions() {
    long a = 1, b = 2, c = 3;
    auto shared = std::make_shared<int>(1);
    { Measure measure("function_16"); std::function<long()> f = [&a, &b] { return a + b; }; keep(f); }
    { Measure measure("function_24"); std::function<long()> f = [&a, &b, &c] { return a + b + c; }; keep(f); }
    { Measure measure("function_shared"); std::function<int()> f = [shared] { return *shared; }; keep(f); }
}

[[gnu::noinline]] int by_value(std::shared_ptr<int> p) { return *p; }
[[gnu::noinline]] int by_reference(const std::shared_ptr<int>& p) { return *p; }

void pointers() {
    { Measure measure("shared_new"); std::shared_ptr<int> p(new int(1)); keep(p); }
    { Measure measure("shared_make"); auto p = std::make_shared<int>(1); keep(p); }
    auto p = std::make_shared<int>(1);
    long sum = 0;
    { Measure measure("shared_value"); for (int i = 0; i < many; ++i) sum += by_value(p); }
    { Measure measure("shared_reference"); for (int i = 0; i < many; ++i) sum += by_reference(p); }
    keep(sum);
}

[[gnu::noinline]] int fails(int depth, bool raise) {
    if (depth > 1) return fails(depth - 1, raise) + 1;
    if (raise) throw 1;
    return 0;
}
[[gnu::noinline]] bool fails_code(int depth, bool bad, int& result) {
    if (depth > 1) {
        if (!fails_code(depth - 1, bad, result)) return false;
        ++result;
        return true;
    }
    result = 0;
    return !bad;
}

void raise(const char* name, int depth, bool bad) {
    int caught = 0, sum = 0;
    Measure measure(name);
    for (int i = 0; i < 100; ++i) {
        try {
            sum += fails(depth, bad);
        } catch (int) {
            ++caught;
        }
    }
    keep(caught);
    keep(sum);
}
void code(const char* name, int depth, bool bad) {
    int failed = 0, sum = 0;
    Measure measure(name);
    for (int i = 0; i < 100; ++i) {
        int result;
        if (fails_code(depth, bad, result))
            sum += result;
        else
            ++failed;
    }
    keep(failed);
    keep(sum);
}

bool less(int a, int b) { return a < b; }

void sorts() {
    std::vector<int> numbers;
    for (int i = 0; i < many; ++i) numbers.push_back(i * 7919 % 10007);
    bool (*pointer)(int, int) = less;
    asm volatile("" : "+r"(pointer));
    { auto v = numbers; Measure measure("sort_pointer"); std::sort(v.begin(), v.end(), pointer); keep(v); }
    {
        auto v = numbers;
        Measure measure("sort_lambda");
        std::sort(v.begin(), v.end(), [](int a, int b) { return a < b; });
        keep(v);
    }
}

[[gnu::noinline]] Item returned() { Item item(1); keep(item); return item; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpessimizing-move"
[[gnu::noinline]] Item returned_moved() { Item item(1); keep(item); return std::move(item); }
#pragma GCC diagnostic pop

void values() {
    std::vector<Item> v(many);
    { Measure measure("loop_auto"); for (auto item : v) keep(item); }
    { Measure measure("loop_reference"); for (const auto& item : v) keep(item); }
    { Measure measure("return_plain"); Item item = returned(); keep(item); }
    { Measure measure("return_move"); Item item = returned_moved(); keep(item); }
    { Measure measure("braces"); std::vector<Item> w{Item(1), Item(2), Item(3)}; keep(w); }
}
}  // namespace

void run() {
    functions();
    pointers();
    raise("throw_1", 1, true);
    raise("throw_20", 20, true);
    raise("throw_none", 20, false);
    code("code_1", 1, true);
    code("code_20", 20, true);
    code("code_none", 20, false);
    sorts();
    values();
}
