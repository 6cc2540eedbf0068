// A class with a string in it. Its name does not say which string.
#pragma once
#include <string>

struct Item {
    std::string name;
    int amount;
};

int amount_of(const Item &item);
