// Reads or writes lines in one of several ways: streams MODE. Its system calls and instructions are counted
// from outside.
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

namespace {
constexpr int many = 10000;

void write(std::string_view mode) {
    for (int i = 0; i < many; ++i) {
        if (mode == "printf")
            std::printf("%d\n", i);
        else if (mode == "endl")
            std::cout << i << std::endl;
        else
            std::cout << i << '\n';
    }
}

void echo() {
    for (int n; std::cin >> n;) std::cout << n << '\n';
}

void lines() {
    std::size_t total = 0;
    for (std::string line; std::getline(std::cin, line);) total += line.size();
    if (total == 0) std::abort();
}
}  // namespace

int main(int count, char** arguments) {
    const std::string_view mode = count > 1 ? arguments[1] : "";
    for (int i = 2; i < count; ++i) {
        if (std::string_view(arguments[i]) == "unsynced") std::ios_base::sync_with_stdio(false);
        if (std::string_view(arguments[i]) == "untied") std::cin.tie(nullptr);
    }
    if (mode == "echo")
        echo();
    else if (mode == "lines")
        lines();
    else if (mode != "nothing")
        write(mode);
}
