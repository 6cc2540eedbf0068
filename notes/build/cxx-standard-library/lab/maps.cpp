// std::map and std::unordered_map: look-ups, keys, hashes, rehashing.
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "count.h"

namespace {
constexpr int many = 1000;

struct Point {
    Item x, y;
    Point(int a, int b) : x(a), y(b) {}
    friend bool operator==(const Point& a, const Point& b) {
        ++counts.compares;
        return a.x.value == b.x.value && a.y.value == b.y.value;
    }
};
struct Xor {
    std::size_t operator()(const Point& p) const { return std::size_t(p.x.value) ^ std::size_t(p.y.value); }
};
struct Mixed {
    std::size_t operator()(const Point& p) const {
        return std::size_t(p.x.value) * 0x9E3779B97F4A7C15u + std::size_t(p.y.value);
    }
};

template <class Hash>
void hash(const char* name) {
    Measure measure(name);
    std::unordered_set<Point, Hash> set;
    for (int x = 0; x < 64; ++x)
        for (int y = 0; y < 64; ++y) set.emplace(x, y);
    keep(set);
}

void keys() {
    const char* key = "a name longer than fits";
    std::map<std::string, int> plain{{key, 1}};
    std::map<std::string, int, std::less<>> transparent{{key, 1}};
    {
        Measure measure("find_plain");
        for (int i = 0; i < many; ++i) keep(*plain.find(key));
    }
    {
        Measure measure("find_transparent");
        for (int i = 0; i < many; ++i) keep(*transparent.find(key));
    }
}

void lookups() {
    std::map<int, int> m;
    for (int i = 0; i < many; ++i) m[i] = i;
    {
        Measure measure("look_twice");
        long sum = 0;
        for (int i = 0; i < many; ++i)
            if (m.count(i)) sum += m[i];
        keep(sum);
    }
    {
        Measure measure("look_once");
        long sum = 0;
        for (int i = 0; i < many; ++i)
            if (auto it = m.find(i); it != m.end()) sum += it->second;
        keep(sum);
    }
    std::map<int, int> read;
    for (int i = 0; i < many; ++i) keep(read[i] == 1);
    report("read_grown", double(read.size()));
}

template <class Map>
void fill(const char* name, int reserve) {
    Map m;
    Measure measure(name);
    if constexpr (requires { m.reserve(1); })
        if (reserve) m.reserve(reserve);
    for (int i = 0; i < many; ++i) m.emplace(i, i);
    keep(m);
}

void drain(const char* name, int n) {
    std::unordered_map<int, int> m;
    for (int i = 0; i < n; ++i) m.emplace(i, i);
    Measure measure(name);
    while (!m.empty()) m.erase(m.begin());
    keep(m);
}

void buckets() {
    std::unordered_map<int, int> m;
    std::size_t last = m.bucket_count();
    int times = 0;
    for (int i = 0; i < many; ++i) {
        m.emplace(i, i);
        if (m.bucket_count() != last) ++times, last = m.bucket_count();
    }
    report("rehashes", times);
    report("buckets", double(m.bucket_count()));
    m.clear();
    report("buckets_cleared", double(m.bucket_count()));
}

void walk() {
    std::map<std::string, int> m;
    for (int i = 0; i < many; ++i) m.emplace(std::string(30, 'x') + std::to_string(i), i);
    {
        Measure measure("walk_converting");
        for (const std::pair<std::string, int>& entry : m) keep(entry);
    }
    {
        Measure measure("walk_copying");
        for (auto entry : m) keep(entry);
    }
    {
        Measure measure("walk_auto");
        for (const auto& entry : m) keep(entry);
    }
}
}  // namespace

void run() {
    hash<Xor>("hash_xor");
    hash<Mixed>("hash_mixed");
    keys();
    lookups();
    fill<std::unordered_map<int, int>>("fill", 0);
    fill<std::unordered_map<int, int>>("fill_reserved", many);
    fill<std::map<int, int>>("fill_map", 0);
    drain("drain_small", many);
    drain("drain_large", 10 * many);
    buckets();
    walk();
}
