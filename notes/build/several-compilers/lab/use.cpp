// A program that calls it.
#include <iostream>
#include <string>

std::string greet(const std::string &name);

int main() { std::cout << greet("world") << '\n'; }
