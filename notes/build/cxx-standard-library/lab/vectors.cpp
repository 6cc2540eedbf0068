// std::vector and its neighbours: growth, erasing, clearing, what a node costs.
#include <algorithm>
#include <deque>
#include <list>
#include <vector>

#include "count.h"

namespace {
constexpr int many = 1000;

template <class T>
void grow(const char* name, bool reserve) {
    Measure measure(name);
    std::vector<T> v;
    if (reserve) v.reserve(many);
    for (int i = 0; i < many; ++i) v.emplace_back(i);
    keep(v);
}

void grow_by_reserve() {
    Measure measure("grow_reserve_each");
    std::vector<Item> v;
    for (int i = 0; i < many; ++i) {
        v.reserve(v.size() + 1);
        v.emplace_back(i);
    }
    keep(v);
}

void put() {
    std::vector<Item> v;
    v.reserve(8);
    { Measure measure("push_temporary"); v.push_back(Item(1)); }
    { Measure measure("emplace_temporary"); v.emplace_back(Item(1)); }
    { Measure measure("emplace_arguments"); v.emplace_back(1); }
    keep(v);
}

std::vector<Item> numbers() {
    std::vector<Item> v;
    v.reserve(many);
    for (int i = 0; i < many; ++i) v.emplace_back(i);
    return v;
}

bool odd(const Item& item) { return item.value % 2 != 0; }

void erase() {
    {
        auto v = numbers();
        Measure measure("erase_each");
        for (auto it = v.begin(); it != v.end();) it = odd(*it) ? v.erase(it) : it + 1;
        keep(v);
    }
    {
        auto v = numbers();
        Measure measure("erase_remove");
        v.erase(std::remove_if(v.begin(), v.end(), odd), v.end());
        keep(v);
    }
    {
        auto v = numbers();
        Measure measure("vector_front");
        while (!v.empty()) v.erase(v.begin());
        keep(v);
    }
    {
        std::deque<Item> d;
        for (int i = 0; i < many; ++i) d.emplace_back(i);
        Measure measure("deque_front");
        while (!d.empty()) d.pop_front();
        keep(d);
    }
}

void empty() {
    const auto bytes = [](const std::vector<int>& v) { return double(v.capacity() * sizeof(int)); };
    std::vector<int> v(many);
    v.clear();
    report("after_clear", bytes(v));
    v = {};
    report("after_braces", bytes(v));
    std::vector<int>().swap(v);
    report("after_swap", bytes(v));
    std::vector<int> w(many);
    w.clear();
    w.shrink_to_fit();
    report("after_shrink", bytes(w));
}

void nodes() {
    {
        Measure measure("list_nodes");
        std::list<int> l;
        for (int i = 0; i < many; ++i) l.push_back(i);
        keep(l);
    }
    {
        Measure measure("vector_block");
        std::vector<int> v;
        v.reserve(many);
        for (int i = 0; i < many; ++i) v.push_back(i);
        keep(v);
    }
    {
        Measure measure("deque_empty");
        std::deque<int> d;
        keep(d);
    }
}

void bits() {
    {
        std::vector<bool> v(many);
        keep(v);
        Measure measure("bool_write");
        for (int i = 0; i < many; ++i) v[i] = i % 3 == 0;
        keep(v);
    }
    {
        std::vector<char> v(many);
        keep(v);
        Measure measure("char_write");
        for (int i = 0; i < many; ++i) v[i] = i % 3 == 0;
        keep(v);
    }
    { Measure measure("bool_memory"); std::vector<bool> v(many); keep(v); }
    { Measure measure("char_memory"); std::vector<char> v(many); keep(v); }
}
}  // namespace

void run() {
    grow<Item>("grow", false);
    grow<Item>("grow_reserved", true);
    grow<Careless>("grow_careless", false);
    grow_by_reserve();
    put();
    erase();
    empty();
    nodes();
    bits();
}
