// Sorts equal elements: order equal|less|pointers N. By <= the comparison is no order: each element would
// come before each other one.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

int main(int, char** arguments) {
    const std::string_view how = arguments[1];
    const int n = std::atoi(arguments[2]);
    if (how == "pointers") {
        std::vector<std::unique_ptr<int>> v;
        for (int i = 0; i < n; ++i) v.push_back(std::make_unique<int>(7));
        std::sort(v.begin(), v.end(), [](const auto& a, const auto& b) { return *a <= *b; });
        return 0;
    }
    std::vector<int> v(n, 7);
    if (how == "equal")
        std::sort(v.begin(), v.end(), [](int a, int b) { return a <= b; });
    else
        std::sort(v.begin(), v.end(), [](int a, int b) { return a < b; });
}
