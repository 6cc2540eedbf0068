// Counts the operations of each algorithm by running it on numbers that count, and checks its result.
#include "convolve.hpp"
#include <cstdio>
#include <cstdlib>
#include <string>

static std::string json;
static void put(const std::string &name, double value) {
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    json += (json.empty() ? "{\"" : ", \"") + name + "\": " + text;
}

struct Data {
    Layer l;
    Vec<Counted> x, g, y;
    long direct_mul, direct_add;
    Data(Layer layer) : l(layer) {
        x = numbers<Counted>(size_t(l.c) * l.side() * l.side(), 1);
        g = numbers<Counted>(size_t(l.k) * l.c * l.r * l.r, 2);
        Counted::reset();
        y = direct(l, x, g);
        direct_mul = Counted::mul, direct_add = Counted::add;
    }
    void check(const Vec<Counted> &other, const char *what) const {
        for (size_t i = 0; i < y.size(); i++)
            if (!(std::fabs(other[i].v - y[i].v) < 1e-9)) {
                fprintf(stderr, "%s differs from direct: %g and %g\n", what, other[i].v, y[i].v);
                exit(1);
            }
    }
    Work fast(int m) const {
        Work work;
        check(winograd(tile(m, 3, m == 2 ? F2 : m == 4 ? F4 : F6), l, x, g, &work), "Winograd");
        return work;
    }
    Work fft() const {
        Work work;
        check(fourier(l, x, g, &work), "Fourier");
        return work;
    }
};

// One tile, one channel: the transforms by themselves.
static void tiles() {
    printf("%-10s %-16s %-14s %-14s %s\n", "", "multiplications", "data", "result", "filter");
    printf("%-10s %-7s %-8s %-14s %-14s %s\n", "one tile", "direct", "fast", "add  multiply", "add  multiply", "both");
    for (int m : {2, 4, 6}) {
        Data d({1, 1, m, 3});
        Work w = d.fast(m);
        std::string f = "f" + std::to_string(m) + "_";
        printf("F(%d,3)     %-7ld %-8ld %3ld  %-9ld %3ld  %-9ld %ld\n", m, d.direct_mul, w.products, w.data_add,
               w.data_mul, w.back_add, w.back_mul, w.filter);
        put(f + "direct", d.direct_mul), put(f + "products", w.products);
        put(f + "data_add", w.data_add), put(f + "data_mul", w.data_mul);
        put(f + "back_add", w.back_add), put(f + "back_mul", w.back_mul), put(f + "filter", w.filter);
    }
}

// A layer with as many channels out as in: all operations, without the transform of the filters.
static void channels(int h) {
    for (int c : {1, 2, 4, 8, 16, 32, 64, 128}) {
        Data d({c, c, h, 3});
        double all = d.direct_mul + d.direct_add;
        std::string n = "_" + std::to_string(c);
        put("direct" + n, all);
        for (int m : {2, 4, 6})
            put("f" + std::to_string(m) + n, d.fast(m).run());
        put("fft" + n, d.fft().run());
        Counted::reset();
        d.check(product(d.l, d.g, im2col(d.l, 1, d.x)), "im2col");
        put("im2col" + n, Counted::all());
    }
}

// Small maps: multiplications of the products, where the last tiles hang over the edge.
static void maps() {
    for (int h : {7, 14, 28, 56}) {
        Data d({2, 2, h, 3});
        std::string n = "_" + std::to_string(h);
        put("direct" + n, d.direct_mul);
        for (int m : {2, 4, 6})
            put("f" + std::to_string(m) + n, d.fast(m).products);
    }
}

// Larger filters on an input of 64 x 64: all operations, direct and by Fourier.
static void filters() {
    for (int c : {1, 16})
        for (int r : {3, 5, 7, 9, 11, 15, 21, 31}) {
            Data d({c, c, 65 - r, r});
            std::string n = "_" + std::to_string(c) + "_" + std::to_string(r);
            put("direct" + n, d.direct_mul + d.direct_add);
            put("fft" + n, d.fft().run());
            if (r == 3)
                put("f4" + n, d.fast(4).run());
        }
}

// Bytes of the buffers, as float: the lengths of the vectors that the algorithms filled.
static void memory() {
    auto col = [](const char *name, Layer l, int stride) {
        Vec<float> x(size_t(l.c) * l.side() * l.side(), 1.0f);
        std::string n = name;
        put(n + "_input", 4.0 * l.c * l.h * l.h);
        put(n + "_columns", 4.0 * im2col(l, stride, x).size());
    };
    col("vgg", {64, 64, 224, 3}, 1);
    col("res", {64, 64, 56, 3}, 1);
    col("strided", {64, 64, 56, 3}, 2);
    col("point", {64, 64, 56, 1}, 1);
    col("first", {3, 64, 224, 7}, 2);
    Layer l{64, 64, 56, 3};
    Vec<float> x(size_t(l.c) * l.side() * l.side(), 1.0f), g(size_t(l.k) * l.c * 9, 1.0f);
    put("filters", 4.0 * g.size());
    auto kept = [](const std::string &name, const Work &w) {
        put(name + "_filters", 4.0 * w.filters), put(name + "_inputs", 4.0 * w.inputs), put(name + "_results", 4.0 * w.results);
    };
    for (int m : {2, 4, 6}) {
        Work w;
        winograd(tile(m, 3, m == 2 ? F2 : m == 4 ? F4 : F6), l, x, g, &w);
        kept("f" + std::to_string(m), w);
    }
    Work w;
    fourier(l, x, g, &w);
    kept("fft", w);
}

// Operations against the bytes of input, filters and result, each touched once.
static void depthwise() {
    auto layer = [](const char *name, Layer l, int groups) {
        Data d({l.c / groups, l.k / groups, l.h, l.r});
        double flop = double(groups) * (d.direct_mul + d.direct_add);
        double bytes = 4.0 * ((double(l.c) + l.k) * l.h * l.h + double(l.c) / groups * l.k * l.r * l.r);
        std::string n = name;
        put(n + "_flop", flop), put(n + "_bytes", bytes);
    };
    layer("full", {128, 128, 56, 3}, 1);
    layer("depth", {128, 128, 56, 3}, 128);
    layer("point", {128, 128, 56, 1}, 1);
    layer("depth_7", {128, 128, 56, 7}, 128);
    Data one({1, 1, 56, 3});
    put("depth_f2", 128.0 * one.fast(2).run()), put("depth_f4", 128.0 * one.fast(4).run());
}

int main(int argc, char **argv) {
    std::string what = argc > 1 ? argv[1] : "";
    if (what == "tiles") tiles();
    else if (what == "channels") channels(24);
    else if (what == "maps") maps();
    else if (what == "filters") filters();
    else if (what == "memory") memory();
    else if (what == "depthwise") depthwise();
    else return fprintf(stderr, "usage: count tiles|channels|maps|filters|memory|depthwise\n"), 2;
    printf("%s}\n", json.c_str());
}
