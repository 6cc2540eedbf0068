// Loops over a vector, to be compiled with and without optimisation and checks: loop sort|index|nothing N.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

int main(int, char** arguments) {
    std::vector<unsigned> numbers(std::atoi(arguments[2]));
    unsigned state = 1;
    for (unsigned& n : numbers) n = (state = state * 1664525u + 1013904223u) >> 8;
    unsigned long sum = 0;
    if (std::strcmp(arguments[1], "sort") == 0) {
        std::sort(numbers.begin(), numbers.end());
        sum = numbers.front();
    } else if (std::strcmp(arguments[1], "index") == 0) {
        for (std::size_t i = 0; i < numbers.size(); ++i) sum += numbers[numbers[i] % 1024];
    }
    return sum == 1;
}
