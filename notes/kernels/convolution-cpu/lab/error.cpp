// Rounding error of each algorithm in float32, against the direct convolution of the same numbers in float64.
#include "convolve.hpp"
#include <algorithm>
#include <cstdio>
#include <string>

static std::string json;
static void put(const std::string &name, double value) {
    char text[64];
    snprintf(text, sizeof text, "%.9g", value);
    json += (json.empty() ? "{\"" : ", \"") + name + "\": " + text;
}

// Keeps 11 bits, as many as a float16 has; its range is not limited.
static float eleven_bits(float x) {
    float c = x * 8193.0f;
    return c - (c - x);
}

// Direct, but nine sums over the channels, which are added at the end.
static Vec<float> by_tap(Layer l, const Vec<float> &x, const Vec<float> &g) {
    int taps = l.r * l.r, s = l.side();
    Vec<float> y(size_t(l.k) * l.h * l.h), column(l.c), weights(l.c);
    for (size_t o = 0; o < y.size(); o++)
        for (int t = 0; t < taps; t++) {
            int k = o / (l.h * l.h), i = o / l.h % l.h + t / l.r, j = o % l.h + t % l.r;
            for (int c = 0; c < l.c; c++)
                column[c] = x[(size_t(c) * s + i) * s + j], weights[c] = g[(size_t(k) * l.c + c) * taps + t];
            y[o] += dot(column.data(), weights.data(), l.c);
        }
    return y;
}

struct Errors { double rms, largest; };            // relative to the rms of the exact result

static Errors errors(const Vec<float> &y, const Vec<double> &exact) {
    double square = 0, error = 0, largest = 0;
    for (size_t i = 0; i < y.size(); i++) {
        double e = y[i] - exact[i];
        square += exact[i] * exact[i], error += e * e, largest = std::max(largest, std::fabs(e));
    }
    return {std::sqrt(error / square), largest / std::sqrt(square / y.size())};
}

static void row(const char *label, const std::string &name, Errors e, double direct) {
    put(name, e.rms), put(name + "_largest", e.largest);
    printf("%-34s %12.2e %12.2e %9.2f\n", label, e.rms, e.largest, e.rms / direct);
}

static void compare(Layer l, double low, bool narrow) {
    Vec<float> x = numbers<float>(size_t(l.c) * l.side() * l.side(), 1, low);
    Vec<float> g = numbers<float>(size_t(l.k) * l.c * l.r * l.r, 2);
    Vec<double> exact = direct(l, Vec<double>(x.begin(), x.end()), Vec<double>(g.begin(), g.end()));
    float (*keep)(float) = narrow ? eleven_bits : whole<float>;
    for (float &f : x) f = keep(f);
    for (float &f : g) f = keep(f);
    Errors base = errors(direct(l, x, g), exact);
    printf("%-34s %12s %12s %9s\n", "", "rms", "largest", "/ direct");
    row("direct", "direct", base, base.rms);
    row("im2col and product", "im2col", errors(product(l, g, im2col(l, 1, x)), exact), base.rms);
    row("direct, a sum for each tap", "taps", errors(by_tap(l, x, g), exact), base.rms);
    auto fast = [&](const char *label, const std::string &name, int m, const Vec<double> &points) {
        row(label, name, errors(winograd(tile(m, 3, points), l, x, g, nullptr, keep), exact), base.rms);
    };
    fast("F(2,3), points 0 1 -1", "f2", 2, F2);
    fast("F(4,3), points 0 1 -1 2 -2", "f4", 4, F4);
    fast("F(4,3), points 0 .7 -.7 1.5 -1.5", "f4_better", 4, {0, 0.7, -0.7, 1.5, -1.5});
    fast("F(6,3), points 0 1 -1 2 -2 .5 -.5", "f6", 6, F6);
    fast("F(6,3), points 0 1 -1 2 -2 3 -3", "f6_worse", 6, {0, 1, -1, 2, -2, 3, -3});
    if (!narrow)
        row("Fourier, 32 x 32", "fft", errors(fourier(l, x, g), exact), base.rms);
}

int main(int argc, char **argv) {
    std::string what = argc > 1 ? argv[1] : "";
    int c = argc > 2 ? std::stoi(argv[2]) : 64;
    Layer l{c, 16, 24, 3};
    if (what == "signed") compare(l, -1, false);          // inputs from -1 to 1
    else if (what == "positive") compare(l, 0, false);    // from 0 to 1, as behind a ReLU
    else if (what == "narrow") compare(l, -1, true);      // numbers kept in 11 bits, arithmetic in float32
    else return fprintf(stderr, "usage: error signed|positive|narrow [channels]\n"), 2;
    printf("%s}\n", json.c_str());
}
