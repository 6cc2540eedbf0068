// A library of one function, which uses what C++ programs use.
#include <map>
#include <regex>
#include <string>
#include <vector>

#define API __attribute__((visibility("default")))

template <class T> class Basket
{
public:
    void put(const T &item) { items.push_back(item); }
    void clear();
    virtual ~Basket() = default;
    std::vector<T> items;
};

template <class T> void Basket<T>::clear()
{
    items.clear();
}

class Counter
{
public:
    void take(const std::string &word) { counts[word]++; }
    int most() const;

private:
    std::map<std::string, int> counts;
};

int Counter::most() const
{
    int best = 0;
    for (const auto &entry : counts)
        best = entry.second > best ? entry.second : best;
    return best;
}

extern "C" API int most_frequent(const char *text)
{
    static const std::regex word("[a-z]+");
    Basket<std::string> basket;
    Counter counter;
    const std::string all(text);
    for (std::sregex_iterator it(all.begin(), all.end(), word), end; it != end; ++it)
        basket.put(it->str());
    for (const std::string &each : basket.items)
        counter.take(each);
    basket.clear();
    return counter.most();
}
