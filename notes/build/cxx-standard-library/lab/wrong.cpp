#include <map>
#include <string>
#include <utility>
#include <vector>

struct Row {
    std::vector<int> cells;
    Row() = default;
    Row(const Row& other) : cells(other.cells) {}
    Row(Row&& other) : cells(std::move(other.cells)) {}
};

int total(const std::map<std::string, int> ages) {
    int sum = 0;
    for (const std::pair<std::string, int>& entry : ages) sum += entry.second;
    return sum;
}

std::string join(const std::vector<std::string>& parts) {
    std::string text;
    for (auto part : parts) text = text + part;
    return std::move(text);
}

std::vector<int> twice(const std::vector<int>& numbers) {
    std::vector<int> result;
    for (int n : numbers) result.push_back(2 * n);
    return result;
}
