// A function of a library that takes a string.
#include <string>

std::string greet(const std::string &name) { return "hello " + name; }
