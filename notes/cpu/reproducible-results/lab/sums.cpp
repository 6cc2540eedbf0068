// How many different results do ways of summing give for one set of numbers, how many bits are wrong,
// and how many floating-point operations do they take? Prints one JSON object.
//
// Build with -ffp-contract=off and without -ffast-math: the methods rely on rounding.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

using std::size_t;

// A double that counts the operations on it.
static long operations;
struct Counted {
    double v;
    Counted(double x = 0) : v(x) {}
};
static Counted operator+(Counted a, Counted b) { operations++; return a.v + b.v; }
static Counted operator-(Counted a, Counted b) { operations++; return a.v - b.v; }
static Counted operator*(Counted a, Counted b) { operations++; return a.v * b.v; }
static bool operator<(Counted a, Counted b) { operations++; return a.v < b.v; }
static Counted size_of(Counted a) { return std::fabs(a.v); } // clears a bit: not counted
static double size_of(double a) { return std::fabs(a); }
static double plain(Counted a) { return a.v; }
static double plain(double a) { return a; }
static std::int64_t whole(Counted a) { operations++; return std::llrint(a.v); }
static std::int64_t whole(double a) { return std::llrint(a); }

template <class T> static T in_order(const std::vector<T> &x)
{
    T sum = 0;
    for (const T &each : x)
        sum = sum + each;
    return sum;
}

template <class T> static T lanes(const std::vector<T> &x, size_t width)
{
    std::vector<T> sum(width, T(0));
    for (size_t i = 0; i < x.size(); i++)
        sum[i % width] = sum[i % width] + x[i];
    return in_order(sum);
}

template <class T> static T halves(const T *x, size_t n)
{
    return n == 1 ? x[0] : halves(x, n / 2) + halves(x + n / 2, n - n / 2);
}

template <class T> static T pairwise(const std::vector<T> &x) { return halves(x.data(), x.size()); }

// Kahan: c holds what the last addition lost.
template <class T> static T kahan(const std::vector<T> &x)
{
    T sum = 0, c = 0;
    for (const T &each : x) {
        T y = each - c, t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    return sum;
}

// Knuth's exact error of an addition, the errors summed apart.
template <class T> static T two_sum(const std::vector<T> &x)
{
    T sum = 0, lost = 0;
    for (const T &each : x) {
        T t = sum + each, part = t - sum;
        lost = lost + ((sum - (t - part)) + (each - part));
        sum = t;
    }
    return sum + lost;
}

// Rounds each number to a multiple that depends on the largest one and on n alone, so that the
// additions of a level are exact, whatever their order; the remainders go to a second level.
template <class T> static T levels(const std::vector<T> &x)
{
    T largest = 0;
    for (const T &each : x)
        largest = largest < size_of(each) ? size_of(each) : largest;
    int bits = std::ilogb(double(x.size())) + 1, top = std::ilogb(plain(largest)) + 1;
    T first = std::ldexp(1.5, top + bits), second = std::ldexp(1.5, top + 2 * bits - 52);
    T high = 0, low = 0;
    for (const T &each : x) {
        T q = (each + first) - first, rest = each - q;
        high = high + q;
        low = low + ((rest + second) - second);
    }
    return high + low;
}

// Multiples of a unit in an integer. The unit has to be known beforehand: here 2^62 of them are more
// than the sum of all absolute values.
static double units;
template <class T> static T fixed_point(const std::vector<T> &x)
{
    std::int64_t sum = 0;
    for (const T &each : x)
        sum += whole(each * T(units));
    return T(double(sum)) * T(1 / units);
}

template <class T> static T sorted(const std::vector<T> &x)
{
    std::vector<T> copy = x;
    std::sort(copy.begin(), copy.end());
    return in_order(copy);
}

static std::uint64_t state = 1;
static std::uint64_t random_bits()
{
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
static double random_unit() { return double(random_bits() >> 11) * 0x1p-53; }

static size_t different(const std::vector<double> &all)
{
    std::vector<std::uint64_t> bits(all.size());
    std::memcpy(bits.data(), all.data(), all.size() * sizeof(double));
    std::sort(bits.begin(), bits.end());
    return size_t(std::unique(bits.begin(), bits.end()) - bits.begin());
}

// 113 bits hold these sums without rounding.
static double exact(const std::vector<double> &x)
{
    __float128 sum = 0;
    for (double each : x)
        sum += each;
    return double(sum);
}

// How many of the last bits are in doubt: 0 if the result is right, 53 if none of it is.
static int wrong_bits(double got, double right)
{
    double unit = std::nextafter(std::fabs(right), INFINITY) - std::fabs(right);
    return got == right ? 0 : std::min(53, std::ilogb(std::fabs(got - right) / unit) + 1);
}

static const struct {
    const char *name;
    double (*sum)(const std::vector<double> &);
    Counted (*count)(const std::vector<Counted> &);
} methods[] = {
    {"in_order", in_order, in_order}, {"pairwise", pairwise, pairwise}, {"kahan", kahan, kahan},
    {"two_sum", two_sum, two_sum},    {"levels", levels, levels},       {"fixed_point", fixed_point, fixed_point},
    {"sorted", sorted, sorted},
};

static void shuffles(const char *data, std::vector<double> x, int rounds)
{
    constexpr int M = sizeof methods / sizeof *methods;
    std::vector<double> results[M];
    double right = exact(x);
    for (int round = 0; round < rounds; round++) {
        for (size_t i = x.size() - 1; i > 0; i--)
            std::swap(x[i], x[random_bits() % (i + 1)]);
        for (int m = 0; m < M; m++)
            results[m].push_back(methods[m].sum(x));
    }
    for (int m = 0; m < M; m++) {
        int worst = 0;
        for (double each : results[m])
            worst = std::max(worst, wrong_bits(each, right));
        std::printf("\"%s_%s\": %zu, \"%s_%s_bits\": %d,\n", data, methods[m].name, different(results[m]), data,
                    methods[m].name, worst);
    }
}

// Of a range so wide that the errors, summed apart, are rounded themselves.
static void harder(size_t n, int rounds)
{
    std::vector<double> x(n), apart, in_levels;
    for (size_t i = 0; i < n / 2; i++) {
        x[i] = std::ldexp(random_unit() - 0.5, int(random_bits() % 61));
        x[n / 2 + i] = -x[i] + (random_unit() - 0.5) * 0x1p-20;
    }
    for (int round = 0; round < rounds; round++) {
        for (size_t i = x.size() - 1; i > 0; i--)
            std::swap(x[i], x[random_bits() % (i + 1)]);
        apart.push_back(two_sum(x));
        in_levels.push_back(levels(x));
    }
    std::printf("\"harder_two_sum\": %zu, \"harder_levels\": %zu,\n", different(apart), different(in_levels));
}

int main()
{
    constexpr size_t N = 10000;
    std::vector<double> x(N), hard(N);
    for (double &each : x)
        each = random_unit();
    // Large numbers of both signs that nearly cancel.
    for (size_t i = 0; i < N / 2; i++) {
        hard[i] = std::ldexp(random_unit() - 0.5, int(random_bits() % 21));
        hard[N / 2 + i] = -hard[i] + (random_unit() - 0.5) * 0x1p-20;
    }

    std::puts("{");
    units = 0x1p28;
    shuffles("hard", hard, 1000);
    units = 0x1p48;
    shuffles("plain", x, 1000);
    harder(N, 1000);

    double size = 0;
    for (double each : hard)
        size += std::fabs(each);
    std::printf("\"hard_condition\": %.3g,\n", size / std::fabs(exact(hard)));

    std::vector<Counted> counted(x.begin(), x.end());
    for (const auto &method : methods) {
        operations = 0;
        method.count(counted);
        std::printf("\"%s_operations\": %.4g,\n", method.name, double(operations) / N);
    }

    // Vector widths: the lanes are added up at the end, as a compiler does it.
    std::vector<double> widths, threads, blocks;
    for (size_t width : {1, 2, 4, 8, 16})
        widths.push_back(lanes(x, width));
    // Threads with a contiguous part each, whose sums are added in the order of the threads; and parts
    // of a fixed length, whoever computes them.
    std::vector<double> fixed;
    for (size_t i = 0; i < N; i += 1000)
        fixed.push_back(in_order(std::vector<double>(x.begin() + long(i), x.begin() + long(i) + 1000)));
    for (size_t t = 1; t <= 16; t++) {
        std::vector<double> parts;
        for (size_t k = 0; k < t; k++)
            parts.push_back(in_order(std::vector<double>(x.begin() + long(N * k / t), x.begin() + long(N * (k + 1) / t))));
        threads.push_back(in_order(parts));
        std::vector<double> mine(fixed.size()); // thread k computes the blocks k, k + t, ...
        for (size_t k = 0; k < t; k++)
            for (size_t b = k; b < fixed.size(); b += t)
                mine[b] = fixed[b];
        blocks.push_back(in_order(mine));
    }
    // A fixed number of threads, whose sums are added in the order in which they finish.
    auto every_order = [&x](size_t t) {
        std::vector<double> parts, results;
        std::vector<size_t> order(t);
        for (size_t k = 0; k < t; k++)
            parts.push_back(in_order(std::vector<double>(x.begin() + long(N * k / t), x.begin() + long(N * (k + 1) / t))));
        std::iota(order.begin(), order.end(), 0);
        do {
            double sum = 0;
            for (size_t k : order)
                sum += parts[k];
            results.push_back(sum);
        } while (std::next_permutation(order.begin(), order.end()));
        return different(results);
    };
    std::printf("\"widths\": %zu, \"threads\": %zu, \"blocks\": %zu,\n", different(widths), different(threads),
                different(blocks));
    std::printf("\"finish_2\": %zu, \"finish_4\": %zu, \"finish_8\": %zu}\n", every_order(2), every_order(4),
                every_order(8));
}
