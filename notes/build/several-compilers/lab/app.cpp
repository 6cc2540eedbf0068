// A program that uses strings and streams of the C++ library.
#include <iostream>
#include <string>

int main() {
    std::string text = "it runs";
    std::cout << text << '\n';
}
