// std::string, numbers as text, streams and regular expressions.
#include <charconv>
#include <cstdio>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "count.h"

namespace {
constexpr int many = 1000;

std::size_t by_value(std::string s) {
    keep(s);
    return s.size();
}
std::size_t by_view(std::string_view s) {
    keep(s);
    return s.size();
}

void copies() {
    const std::string shortest(15, 'x'), longer(16, 'x');
    { Measure measure("copy_15"); std::string s = shortest; keep(s); }
    { Measure measure("copy_16"); std::string s = longer; keep(s); }
    const char* literal = "a name longer than fits";
    { Measure measure("pass_string"); for (int i = 0; i < many; ++i) by_value(literal); }
    { Measure measure("pass_view"); for (int i = 0; i < many; ++i) by_view(literal); }
}

void joins() {
    const std::string part(10, 'x');
    {
        Measure measure("join_plus");
        std::string s;
        for (int i = 0; i < many; ++i) s = s + part;
        keep(s);
    }
    {
        Measure measure("join_append");
        std::string s;
        for (int i = 0; i < many; ++i) s += part;
        keep(s);
    }
}

void cuts() {
    const std::string text(many * 10, 'x');
    {
        Measure measure("cut_string");
        std::string rest = text;
        while (!rest.empty()) rest = rest.substr(10);
        keep(rest);
    }
    {
        Measure measure("cut_view");
        std::string_view rest = text;
        while (!rest.empty()) rest = rest.substr(10), keep(rest);
    }
}

void numbers() {
    std::vector<std::string> words;
    for (int i = 0; i < many; ++i) words.push_back(std::to_string(i * 7919 % 100000));
    long sum = 0;
    {
        Measure measure("read_stream_each");
        for (const auto& word : words) {
            std::istringstream in(word);
            int n;
            in >> n;
            sum += n;
        }
    }
    {
        Measure measure("read_stoi");
        for (const auto& word : words) sum += std::stoi(word);
    }
    {
        Measure measure("read_from_chars");
        for (const auto& word : words) {
            int n = 0;
            std::from_chars(word.data(), word.data() + word.size(), n);
            sum += n;
        }
    }
    keep(sum);
    {
        Measure measure("write_stream_each");
        for (int i = 0; i < many; ++i) {
            std::ostringstream out;
            out << i;
            keep(out.str());
        }
    }
    {
        Measure measure("write_to_string");
        for (int i = 0; i < many; ++i) keep(std::to_string(i));
    }
    {
        Measure measure("write_to_chars");
        char buffer[16];
        for (int i = 0; i < many; ++i) keep(*std::to_chars(buffer, buffer + 16, i).ptr);
    }
}

void searches() {
    std::string line(100, 'x');
    line += "error: 42";
    long found = 0;
    {
        Measure measure("regex_each");
        for (int i = 0; i < 10; ++i) found += std::regex_search(line, std::regex("error"));
    }
    const std::regex once("error");
    {
        Measure measure("regex_once");
        for (int i = 0; i < 10; ++i) found += std::regex_search(line, once);
    }
    {
        Measure measure("find_text");
        for (int i = 0; i < 10; ++i) found += line.find("error") != line.npos;
    }
    keep(found);
}
}  // namespace

void run() {
    copies();
    joins();
    cuts();
    numbers();
    searches();
}
