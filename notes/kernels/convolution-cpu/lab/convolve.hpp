// Convolution (as neural networks mean it: without flipping the filter) by four algorithms, for any type of
// number. The input has its border already: c planes of (h + r - 1) squared, for k planes of h squared.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

struct Layer {
    int c, k, h, r;      // channels in and out, side of the output, side of the filter
    int side() const { return h + r - 1; }
};

// A number that counts what is done with it.
struct Counted {
    double v = 0;
    static inline long mul = 0, add = 0;
    Counted() = default;
    Counted(double x) : v(x) {}
    static void reset() { mul = add = 0; }
    static long all() { return mul + add; }
    friend Counted operator*(Counted a, Counted b) { mul++; return a.v * b.v; }
    friend Counted operator+(Counted a, Counted b) { add++; return a.v + b.v; }
    friend Counted operator-(Counted a, Counted b) { add++; return a.v - b.v; }
    Counted operator-() const { return -v; }      // a sign is no operation: the addition becomes a subtraction
};

template <class T> using Vec = std::vector<T>;

// --- direct, and im2col with a product -----------------------------------------------------------------

// The sum over channels and filter in one order, with one running sum: what each of the two does per output.
template <class T> T dot(const T *a, const T *b, int n) {
    T sum = a[0] * b[0];
    for (int i = 1; i < n; i++)
        sum = sum + a[i] * b[i];
    return sum;
}

template <class T> Vec<T> direct(Layer l, const Vec<T> &x, const Vec<T> &g) {
    Vec<T> y(size_t(l.k) * l.h * l.h), patch(l.c * l.r * l.r);
    int s = l.side(), n = l.c * l.r * l.r;
    for (int i = 0; i < l.h; i++)
        for (int j = 0; j < l.h; j++) {
            for (int c = 0, p = 0; c < l.c; c++)
                for (int u = 0; u < l.r; u++)
                    for (int v = 0; v < l.r; v++)
                        patch[p++] = x[(size_t(c) * s + i + u) * s + j + v];
            for (int k = 0; k < l.k; k++)
                y[(size_t(k) * l.h + i) * l.h + j] = dot(patch.data(), &g[size_t(k) * n], n);
        }
    return y;
}

// One row of the buffer for each element of the filter, one column for each output. Returns the buffer.
template <class T> Vec<T> im2col(Layer l, int stride, const Vec<T> &x) {
    int s = l.side(), out = (l.h - 1) / stride + 1;
    Vec<T> columns(size_t(l.c) * l.r * l.r * out * out);
    size_t p = 0;
    for (int c = 0; c < l.c; c++)
        for (int u = 0; u < l.r; u++)
            for (int v = 0; v < l.r; v++)
                for (int i = 0; i < out; i++)
                    for (int j = 0; j < out; j++)
                        columns[p++] = x[(size_t(c) * s + i * stride + u) * s + j * stride + v];
    return columns;
}

template <class T> Vec<T> product(Layer l, const Vec<T> &g, const Vec<T> &columns) {
    size_t n = size_t(l.c) * l.r * l.r, m = size_t(l.h) * l.h;
    Vec<T> y(l.k * m);
    for (int k = 0; k < l.k; k++)
        for (size_t j = 0; j < m; j++) {
            T sum = g[k * n] * columns[j];
            for (size_t i = 1; i < n; i++)
                sum = sum + g[k * n + i] * columns[i * m + j];
            y[k * m + j] = sum;
        }
    return y;
}

// --- Winograd: F(m, r) in both directions ----------------------------------------------------------------

struct Matrix {
    int rows, columns;
    Vec<double> a;
    double at(int i, int j) const { return a[i * columns + j]; }
};

// The matrices for m outputs and r taps, by Cook and Toom, from m + r - 2 points; the last point is infinity.
struct Tile {
    int m, r, n;
    Matrix at, g, bt;
};

inline Tile tile(int m, int r, const Vec<double> &points) {
    int n = m + r - 1;
    Tile t{m, r, n, {m, n, Vec<double>(m * n)}, {n, r, Vec<double>(n * r)}, {n, n, Vec<double>(n * n)}};
    for (int i = 0; i < n; i++) {                 // row i of bt: the product of all (x - point) but that of i
        Vec<double> poly(n + 1);
        poly[0] = 1;
        double f = 1;
        for (int k = 0; k < n - 1; k++)
            if (k != i) {
                for (int d = n; d > 0; d--)
                    poly[d] = poly[d - 1] - points[k] * poly[d];
                poly[0] = -points[k] * poly[0];
                if (i < n - 1)
                    f *= points[i] - points[k];
            }
        for (int d = 0; d < n; d++)
            t.bt.a[i * n + d] = poly[d];
        for (int j = 0; j < m; j++)
            t.at.a[j * n + i] = i < n - 1 ? std::pow(points[i], j) : j == m - 1;
        for (int j = 0; j < r; j++)
            t.g.a[i * r + j] = i < n - 1 ? std::pow(points[i], j) / f : j == r - 1;
    }
    return t;
}

template <class T> struct Sum {                    // a sum that begins empty, so that nothing is added to zero
    T value{};
    bool any = false;
    void plus(double factor, T x) {
        if (factor == 0)
            return;
        bool negative = factor < 0;
        T term = factor == 1 || factor == -1 ? x : T(negative ? -factor : factor) * x;
        value = any ? (negative ? value - term : value + term) : (negative ? -term : term);
        any = true;
    }
};

// out = m * in. Rows i and i + 1 that agree but for signs (of a point and its opposite) share their work.
template <class T> void by_rows(const Matrix &m, const T *in, int in_step, T *out, int out_step) {
    for (int i = 0; i < m.rows; i++) {
        bool pair = i + 1 < m.rows;
        int same = 0, opposite = 0;
        for (int j = 0; pair && j < m.columns; j++) {
            pair = std::fabs(m.at(i, j)) == std::fabs(m.at(i + 1, j));
            if (m.at(i, j) != 0)
                (m.at(i, j) == m.at(i + 1, j) ? same : opposite)++;
        }
        Sum<T> even, odd;
        if (pair && same && opposite) {
            for (int j = 0; j < m.columns; j++)
                (m.at(i, j) == m.at(i + 1, j) ? even : odd).plus(m.at(i, j), in[j * in_step]);
            out[i * out_step] = even.value + odd.value;
            out[++i * out_step] = even.value - odd.value;
            continue;
        }
        for (int j = 0; j < m.columns; j++)
            even.plus(m.at(i, j), in[j * in_step]);
        out[i * out_step] = even.value;
    }
}

// The same for columns j and j + 1: their sum and difference are computed once, for all rows.
template <class T> void by_columns(const Matrix &m, const T *in, int in_step, T *out, int out_step) {
    Vec<Sum<T>> sums(m.rows);
    for (int j = 0; j < m.columns; j++) {
        bool pair = j + 1 < m.columns;
        for (int i = 0; pair && i < m.rows; i++)
            pair = m.at(i, j) != 0 && std::fabs(m.at(i, j)) == std::fabs(m.at(i, j + 1));
        if (!pair) {
            for (int i = 0; i < m.rows; i++)
                sums[i].plus(m.at(i, j), in[j * in_step]);
            continue;
        }
        T sum = in[j * in_step] + in[(j + 1) * in_step], difference = in[j * in_step] - in[(j + 1) * in_step];
        for (int i = 0; i < m.rows; i++)
            sums[i].plus(m.at(i, j), m.at(i, j) == m.at(i, j + 1) ? sum : difference);
        j++;
    }
    for (int i = 0; i < m.rows; i++)
        out[i * out_step] = sums[i].value;
}

// out = m * in * transpose(m), for a square `in`.
template <class T, class F> void both(const Matrix &m, F apply, const T *in, T *out) {
    Vec<T> half(m.rows * m.columns);
    for (int j = 0; j < m.columns; j++)
        apply(m, in + j, m.columns, half.data() + j, m.columns);
    for (int i = 0; i < m.rows; i++)
        apply(m, half.data() + i * m.columns, 1, out + i * m.rows, 1);
}

struct Work {                                      // operations by stage, and numbers kept, of a fast algorithm
    long filter = 0, data_mul = 0, data_add = 0, products = 0, sums = 0, back_mul = 0, back_add = 0;
    size_t filters = 0, inputs = 0, results = 0;
    long run() const { return data_mul + data_add + products + sums + back_mul + back_add; }
};

template <class T> T whole(T x) { return x; }

// `keep` is what storing a transformed number does to it.
template <class T> Vec<T> winograd(const Tile &t, Layer l, const Vec<T> &x, const Vec<T> &g, Work *work = nullptr,
                                   T (*keep)(T) = whole<T>) {
    int n = t.n, nn = n * n, s = l.side(), tiles = (l.h + t.m - 1) / t.m, all = tiles * tiles;
    Vec<T> u(size_t(l.k) * l.c * nn), v(size_t(l.c) * all * nn), y(size_t(l.k) * l.h * l.h);
    Vec<T> in(nn), out(nn), sums(nn);
    Counted::reset();
    for (int i = 0; i < l.k * l.c; i++) {
        both(t.g, by_rows<T>, &g[size_t(i) * l.r * l.r], &u[size_t(i) * nn]);
        for (int p = 0; p < nn; p++)
            u[size_t(i) * nn + p] = keep(u[size_t(i) * nn + p]);
    }
    long filter = Counted::all();
    Counted::reset();
    for (int c = 0; c < l.c; c++)
        for (int b = 0; b < all; b++) {
            int top = b / tiles * t.m, left = b % tiles * t.m;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    in[i * n + j] = top + i < s && left + j < s ? x[(size_t(c) * s + top + i) * s + left + j] : T(0);
            T *to = &v[(size_t(c) * all + b) * nn];
            both(t.bt, by_rows<T>, in.data(), to);
            for (int p = 0; p < nn; p++)
                to[p] = keep(to[p]);
        }
    long data_mul = Counted::mul, data_add = Counted::add, products = 0, adds = 0, back_mul = 0, back_add = 0;
    for (int k = 0; k < l.k; k++)
        for (int b = 0; b < all; b++) {
            Counted::reset();
            for (int p = 0; p < nn; p++) {
                T sum = u[size_t(k) * l.c * nn + p] * v[size_t(b) * nn + p];
                for (int c = 1; c < l.c; c++)
                    sum = sum + u[(size_t(k) * l.c + c) * nn + p] * v[(size_t(c) * all + b) * nn + p];
                sums[p] = sum;
            }
            products += Counted::mul, adds += Counted::add;
            Counted::reset();
            both(t.at, by_columns<T>, sums.data(), out.data());
            back_mul += Counted::mul, back_add += Counted::add;
            int top = b / tiles * t.m, left = b % tiles * t.m;
            for (int i = 0; i < t.m && top + i < l.h; i++)
                for (int j = 0; j < t.m && left + j < l.h; j++)
                    y[(size_t(k) * l.h + top + i) * l.h + left + j] = out[i * t.m + j];
        }
    if (work)
        *work = {filter, data_mul, data_add, products, adds, back_mul, back_add, u.size(), v.size(), size_t(l.k) * all * nn};
    return y;
}

// --- the fast Fourier transform, on the whole input ------------------------------------------------------

template <class T> struct Complex { T re{}, im{}; };

template <class T> void fft(Complex<T> *a, int n, int step, bool back) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(a[i * step], a[j * step]);
    }
    for (int len = 2; len <= n; len <<= 1)
        for (int k = 0; k < len / 2; k++) {
            double angle = (back ? 2 : -2) * M_PI * k / len;
            for (int i = k; i < n; i += len) {
                Complex<T> &p = a[i * step], &q = a[(i + len / 2) * step], w = q;
                if (4 * k == len)                  // by i or -i: no multiplication
                    w = back ? Complex<T>{-q.im, q.re} : Complex<T>{q.im, -q.re};
                else if (k) {
                    T cos = T(std::cos(angle)), sin = T(std::sin(angle));
                    w = {q.re * cos - q.im * sin, q.re * sin + q.im * cos};
                }
                q = {p.re - w.re, p.im - w.im};
                p = {p.re + w.re, p.im + w.im};
            }
        }
}

// Real n x n numbers to n x (n / 2 + 1) complex ones, twice as large as they should be. Two rows share a transform.
template <class T> void forward(const Vec<T> &in, Vec<Complex<T>> &out, int n) {
    int half = n / 2 + 1;
    Vec<Complex<T>> row(n);
    for (int i = 0; i < n; i += 2) {
        for (int j = 0; j < n; j++)
            row[j] = {in[i * n + j], in[(i + 1) * n + j]};
        fft(row.data(), n, 1, false);
        for (int j = 0; j < half; j++) {
            Complex<T> z = row[j], w = row[(n - j) % n];
            out[i * half + j] = {z.re + w.re, z.im - w.im};
            out[(i + 1) * half + j] = {z.im + w.im, w.re - z.re};
        }
    }
    for (int j = 0; j < half; j++)
        fft(out.data() + j, n, half, false);
}

template <class T> void backward(Vec<Complex<T>> &in, Vec<T> &out, int n) {
    int half = n / 2 + 1;
    Vec<Complex<T>> row(n);
    for (int j = 0; j < half; j++)
        fft(in.data() + j, n, half, true);
    for (int i = 0; i < n; i += 2) {
        for (int j = 0; j < half; j++) {
            Complex<T> a = in[i * half + j], b = in[(i + 1) * half + j];
            row[j] = {a.re - b.im, a.im + b.re};
            if (j > 0 && j < n / 2)
                row[n - j] = {a.re + b.im, b.re - a.im};
        }
        fft(row.data(), n, 1, true);
        for (int j = 0; j < n; j++)
            out[i * n + j] = row[j].re, out[(i + 1) * n + j] = row[j].im;
    }
}

template <class T> Vec<T> fourier(Layer l, const Vec<T> &x, const Vec<T> &g, Work *work = nullptr) {
    int s = l.side(), n = 1;
    while (n < s)
        n *= 2;
    size_t half = size_t(n) * (n / 2 + 1);
    Vec<Vec<Complex<T>>> u(l.k * l.c, Vec<Complex<T>>(half)), v(l.c, Vec<Complex<T>>(half));
    Vec<T> plane(size_t(n) * n), y(size_t(l.k) * l.h * l.h);
    Counted::reset();
    for (int i = 0; i < l.k * l.c; i++) {
        plane.assign(plane.size(), T(0));
        for (int p = 0; p < l.r * l.r; p++)        // scaled by the n * n of the transforms and the 2 * 2 of `forward`
            plane[size_t(p / l.r) * n + p % l.r] = g[size_t(i) * l.r * l.r + p] * T(0.25 / (double(n) * n));
        forward(plane, u[i], n);
    }
    long filter = Counted::all();
    Counted::reset();
    for (int c = 0; c < l.c; c++) {
        plane.assign(plane.size(), T(0));
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++)
                plane[size_t(i) * n + j] = x[(size_t(c) * s + i) * s + j];
        forward(plane, v[c], n);
    }
    long data_mul = Counted::mul, data_add = Counted::add, products = 0, adds = 0, back_mul = 0, back_add = 0;
    Vec<Complex<T>> sum(half);
    for (int k = 0; k < l.k; k++) {
        Counted::reset();
        for (size_t p = 0; p < half; p++)
            for (int c = 0; c < l.c; c++) {        // times the conjugate: the filter is not flipped
                Complex<T> a = v[c][p], b = u[k * l.c + c][p];
                Complex<T> z = {a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
                sum[p] = c ? Complex<T>{sum[p].re + z.re, sum[p].im + z.im} : z;
            }
        products += Counted::mul, adds += Counted::add;
        Counted::reset();
        backward(sum, plane, n);
        back_mul += Counted::mul, back_add += Counted::add;
        for (int i = 0; i < l.h; i++)
            for (int j = 0; j < l.h; j++)
                y[(size_t(k) * l.h + i) * l.h + j] = plane[size_t(i) * n + j];
    }
    if (work)
        *work = {filter, data_mul, data_add, products, adds, back_mul, back_add,
                 2 * half * l.k * l.c, 2 * half * l.c, 2 * half * l.k};
    return y;
}

// --- numbers to work with, the same on every machine -------------------------------------------------------

struct Random {
    uint64_t state;
    double next(double low, double high) {         // splitmix64; 24 bits, so that a float holds the number
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return low + (high - low) * double((z ^ z >> 31) >> 40) / 16777216.0;
    }
};

template <class T> Vec<T> numbers(size_t n, uint64_t seed, double low = -1, double high = 1) {
    Random random{seed};
    Vec<T> out;
    for (size_t i = 0; i < n; i++)
        out.push_back(T(float(random.next(low, high))));
    return out;
}

inline const Vec<double> F2{0, 1, -1}, F4{0, 1, -1, 2, -2}, F6{0, 1, -1, 2, -2, 0.5, -0.5};
