// Runs CUDA kernels that taco generated (kernels.h) one lane after another on a CPU, and counts what a GPU
// would have to do: work of each thread, binary searches, atomic additions, outputs that several threads write.
//   ./emulate code       atomic additions in the text of each kernel
//   ./emulate spmv       y = A x, four matrices, each schedule
//   ./emulate wrong      kernels whose results are wrong, or right by luck
//   ./emulate others     SpMM, SDDMM and MTTKRP
//   ./emulate segments   additions left if each piece of so many non-zeros adds up a row first
// Each prints a table and, last, its numbers as JSON.
//
// What a lane does is counted by replacing `double` by a class. A warp is as long as its longest lane.
// Lanes run one after another, so that no addition is lost where several store plainly.
// atomicAddWarp is taco's: one addition if all 32 lanes call it with one index, else one for each lane.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using u64 = uint64_t;
using Ints = std::vector<int>;

// ---- what is counted ----------------------------------------------------------------------------

struct Real;
struct Output { int writer = -1; bool shared = false, plain = false; u64 additions = 0; };
struct Call { int index; Real *array; };

static struct Counter {
    Real *result = nullptr;            // writes between result and result + size are looked at
    size_t size = 0;
    std::vector<Output> outputs;
    int thread = 0, lane = 0;          // the thread that runs now
    u64 work = 0, probes = 0, searches = 0, atomics = 0;
    std::vector<Call> calls[32];       // of atomicAddWarp, by lane
    std::vector<const Real *> reads[32]; // left operands of multiplications: the sparse values
    void write(const Real *where, bool atomic, int by);
} now;

struct Real {
    double v;
    Real(double x = 0) : v(x) {}
    Real(const Real &o) : v(o.v) {}
    Real &operator=(const Real &o) {
        v = o.v;
        now.write(this, false, now.thread);
        return *this;
    }
};
static Real operator+(const Real &a, const Real &b) { return Real(a.v + b.v); }
static Real operator*(const Real &a, const Real &b) {
    now.work++;
    if (now.reads[now.lane].size() < 4096) now.reads[now.lane].push_back(&a);
    return Real(a.v * b.v);
}

void Counter::write(const Real *where, bool atomic, int by) {
    if (where < result || where >= result + size) return;
    Output &o = outputs[where - result];
    if (o.writer >= 0 && o.writer != by) o.shared = true;
    o.writer = by;
    if (atomic) { o.additions++; atomics++; } else o.plain = true;
}

// ---- what CUDA and taco give to a kernel --------------------------------------------------------

struct Index { int x; };
static Index threadIdx, blockIdx;
struct taco_tensor_t { int32_t *dimensions; uint8_t ***indices; uint8_t *vals; };

static void atomicAdd(Real *where, const Real &value) {
    where->v += value.v;
    now.write(where, true, now.thread);
}
template <typename T> static void atomicAddWarp(T *array, int index, T value) {
    array[index].v += value.v;         // who adds is decided when all lanes have come here: see warp_calls
    now.calls[now.lane].push_back({index, array});
}
// The last place of array[from..to] that holds at most target.
static int taco_binarySearchBefore(int *array, int from, int to, int target) {
    now.searches++;
    now.probes++;
    if (array[to] <= target) return to;
    while (to - from > 1) {
        int middle = (from + to) / 2;
        now.probes++;
        if (array[middle] == target) return middle;
        if (array[middle] < target) from = middle; else to = middle;
    }
    return from;
}

#define __global__ static
#define double Real
#include "kernels.h"
namespace mended {                     // the same kernels, with continue wherever taco printed break
#define break continue
#include "kernels.h"
#undef break
}
#undef double

// ---- running a kernel ---------------------------------------------------------------------------

struct Result {
    u64 threads = 0, work = 0, longest = 0, lane_slots = 0, sectors = 0, reads = 0, searches = 0, probes = 0, atomics = 0;
    u64 written = 0, shared = 0, racing = 0, most = 0, needless = 0, wrong = 0;
    double mean() const { return (double)work / threads; }
    double busy() const { return 100.0 * work / lane_slots; }
};

static const Real *aligned = nullptr;  // begins a sector, as an array that CUDA allocates does

static void warp_calls(int first) {
    for (size_t n = 0; n < now.calls[0].size(); n++) {
        bool all = true;
        for (int l = 0; l < 32; l++) all = all && n < now.calls[l].size() && now.calls[l][n].index == now.calls[0][n].index;
        for (int l = 0; l < (all ? 1 : 32); l++)
            if (n < now.calls[l].size()) now.write(now.calls[l][n].array + now.calls[l][n].index, true, first + l);
    }
}

static Result run(int blocks, std::vector<Real> &out, const std::vector<double> &expected, const std::function<void()> &kernel) {
    std::fill(out.begin(), out.end(), Real(0));
    now = Counter();
    now.result = out.data();
    now.size = out.size();
    now.outputs.resize(out.size());
    Result r;
    for (int b = 0; b < blocks; b++) {
        for (int w = 0; w < 8; w++) {
            u64 longest = 0;
            for (int l = 0; l < 32; l++) { now.calls[l].clear(); now.reads[l].clear(); }
            for (int l = 0; l < 32; l++) {
                blockIdx.x = b;
                threadIdx.x = w * 32 + l;
                now.thread = b * 256 + threadIdx.x;
                now.lane = l;
                u64 before = now.work;
                kernel();
                u64 mine = now.work - before;
                longest = std::max(longest, mine);
                r.threads++;
            }
            warp_calls(b * 256 + w * 32);
            r.longest = std::max(r.longest, longest);
            r.lane_slots += 32 * longest;
            for (size_t n = 0; n < 4096; n++) {    // sectors of 32 bytes that the n-th reads of the lanes touch
                std::vector<uintptr_t> s;
                for (int l = 0; l < 32; l++) if (n < now.reads[l].size()) s.push_back(((uintptr_t)now.reads[l][n] - (uintptr_t)aligned) / 32);
                if (s.empty()) break;
                r.reads += s.size();
                std::sort(s.begin(), s.end());
                r.sectors += std::unique(s.begin(), s.end()) - s.begin();
            }
        }
    }
    r.work = now.work;
    r.searches = now.searches;
    r.probes = now.probes;
    r.atomics = now.atomics;
    for (const Output &o : now.outputs) {
        if (o.writer < 0) continue;
        r.written++;
        r.shared += o.shared;
        r.racing += o.shared && o.plain;
        r.most = std::max(r.most, o.additions);
        if (!o.shared) r.needless += o.additions;
    }
    for (size_t n = 0; n < out.size(); n++) r.wrong += out[n].v != expected[n];
    return r;
}

// ---- matrices -----------------------------------------------------------------------------------

static u64 state = 1;
static double uniform() {              // the same numbers on each machine
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

constexpr int N = 16384, NNZ = 262144, COLUMNS = 262144;

struct Csr { Ints pos, crd; std::vector<Real> value; int rows() const { return (int)pos.size() - 1; } };

static Ints lengths(const std::string &kind) {
    Ints length(N, NNZ / N);
    if (kind == "one") {               // one row has half of the non-zeros
        std::fill(length.begin(), length.end(), 8);
        length[N / 3] = NNZ - 8 * (N - 1);
    } else if (kind == "skewed") {     // the row with rank r has about as many as 1 / (r + 1), at least one
        double sum = 0;
        for (int r = 0; r < N; r++) sum += 1.0 / (r + 1);
        int left = NNZ;
        for (int r = 0; r < N; r++) left -= length[r] = std::max(1, (int)(NNZ / sum / (r + 1)));
        length[0] += left;
        for (int r = N - 1; r > 0; r--) std::swap(length[r], length[(int)(uniform() * (r + 1))]);
    } else if (kind == "short") {      // eight times as many rows, of one to three
        length.assign(8 * N, 2);
        for (int r = 0; r < 4 * N; r++) { int d = (int)(uniform() * 3) - 1; length[r] += d; length[8 * N - 1 - r] -= d; }
    }
    return length;
}

static Csr matrix(const std::string &kind, int columns = COLUMNS) {
    state = 7;
    Csr a;
    a.pos.push_back(0);
    for (int n : lengths(kind)) {
        for (int k = 0; k < n; k++) a.crd.push_back((int)((k + uniform() / 2) * columns / n));
        a.pos.push_back((int)a.crd.size());
    }
    for (size_t k = 0; k < a.crd.size(); k++) a.value.push_back(Real(1 + k % 7));
    a.crd.resize(a.crd.size() + 4096);  // generated code reads a few places beyond the end before it checks
    return a;
}

static Csr transposed(const Csr &a, int columns) {
    Csr t;
    t.pos.assign(columns + 1, 0);
    for (int k = 0; k < NNZ; k++) t.pos[a.crd[k] + 1]++;
    std::partial_sum(t.pos.begin(), t.pos.end(), t.pos.begin());
    Ints next = t.pos;
    t.crd.resize(NNZ);
    t.value.resize(NNZ);
    for (int i = 0; i < a.rows(); i++)
        for (int k = a.pos[i]; k < a.pos[i + 1]; k++) {
            int at = next[a.crd[k]]++;
            t.crd[at] = i;
            t.value[at].v = a.value[k].v;
        }
    return t;
}

// A tensor as taco hands it to a kernel; levels are pairs of pos and crd, or null for a dense one.
struct Handle {
    std::vector<int32_t> size;
    std::vector<std::vector<uint8_t *>> arrays;
    std::vector<uint8_t **> levels;
    taco_tensor_t t;
    Handle(std::vector<int32_t> sizes, std::vector<std::pair<Ints *, Ints *>> stored, std::vector<Real> &values) : size(sizes) {
        for (auto &s : stored) arrays.push_back({s.first ? (uint8_t *)s.first->data() : nullptr, s.second ? (uint8_t *)s.second->data() : nullptr});
        for (auto &a : arrays) levels.push_back(a.data());
        t = {size.data(), levels.data(), (uint8_t *)values.data()};
    }
    Handle(const Handle &) = delete;
    taco_tensor_t *operator&() { return &t; }
};

// What the host does before: the row in which each block begins.
static Ints starts(Ints &pos, int rows, int per_block, int blocks, const Ints *of = nullptr) {
    Ints s;
    for (int b = 0; b <= blocks; b++) s.push_back(taco_binarySearchBefore(pos.data(), 0, rows, of ? (*of)[b] : b * per_block));
    return s;
}

// ---- reports ------------------------------------------------------------------------------------

static std::string json = "{\"end\": 0";
static void number(const std::string &name, double x) {
    char text[64];
    snprintf(text, sizeof text, ", \"%s\": %.10g", name.c_str(), x);
    json += text;
}

static void record(const std::string &name, const Result &r, double nnz) {
    number(name + "_longest", (double)r.longest);
    number(name + "_imbalance", r.longest / r.mean());
    number(name + "_busy", r.busy());
    number(name + "_sectors", (double)r.sectors / r.reads);
    number(name + "_searches", (double)r.searches);
    number(name + "_probes", (double)r.probes);
    number(name + "_atomics", (double)r.atomics);
    number(name + "_per", r.atomics / nnz);
    number(name + "_shared", (double)r.shared);
    number(name + "_racing", (double)r.racing);
    number(name + "_most", (double)r.most);
    number(name + "_needless", (double)r.needless);
    number(name + "_wrong", (double)r.wrong);
}

static void code() {
    std::ifstream file("kernels.h");
    std::string line, space, name;
    int count = 0, warp = 0;
    auto end = [&] {
        if (name.empty()) return;
        printf("%-6s %-22s %9d %13d\n", space.c_str(), name.c_str(), count, warp);
        number(space + "_" + name, count);
        number(space + "_" + name + "_warp", warp);
        name.clear();
        count = warp = 0;
    };
    printf("taco   schedule               atomicAdd atomicAddWarp\n");
    while (std::getline(file, line)) {
        if (line.rfind("namespace ", 0) == 0) { end(); space = line.substr(10, line.find(' ', 10) - 10); }
        if (line.rfind("__global__ void ", 0) == 0) { end(); name = line.substr(16, line.find('(') - 16); }
        count += line.find("atomicAdd(") != std::string::npos;
        warp += line.find("atomicAddWarp<") != std::string::npos;
    }
    end();
}

struct Spmv {
    Csr a, t;
    std::vector<Real> x, y;
    std::vector<double> expected;
    Handle A, T, X, Y;
    Ints blocks;
    int rows;
    static std::vector<Real> vector(int n) { std::vector<Real> v; for (int i = 0; i < n; i++) v.push_back(Real(i % 5 - 2)); return v; }
    explicit Spmv(const std::string &kind)
        : a(matrix(kind)), t(transposed(a, COLUMNS)), x(vector(COLUMNS)), y(a.rows()), expected(a.rows(), 0.0),
          A({a.rows(), COLUMNS}, {{nullptr, nullptr}, {&a.pos, &a.crd}}, a.value),
          T({a.rows(), COLUMNS}, {{nullptr, nullptr}, {&t.pos, &t.crd}}, t.value),
          X({COLUMNS}, {{nullptr, nullptr}}, x), Y({a.rows()}, {{nullptr, nullptr}}, y),
          blocks(starts(a.pos, a.rows(), 2048, NNZ / 2048)), rows(a.rows()) {
        for (int i = 0; i < rows; i++)
            for (int k = a.pos[i]; k < a.pos[i + 1]; k++) expected[i] += a.value[k].v * x[a.crd[k]].v;
    }
    Result go(const std::string &name) {
        aligned = name == "columns" ? t.value.data() : a.value.data();
        if (name == "rows") return run((rows + 255) / 256, y, expected, [&] { paper::rows(&A, &X, &Y); });
        if (name == "columns") return run(COLUMNS / 256, y, expected, [&] { paper::columns(&T, &X, &Y); });
        if (name == "warp") return run((rows + 7) / 8, y, expected, [&] { paper::warp_atomics(&A, &X, &Y); });
        if (name == "warp_continue") return run((rows + 7) / 8, y, expected, [&] { mended::paper::warp_atomics(&A, &X, &Y); });
        if (name == "warp_last") return run((rows + 7) / 8, y, expected, [&] { last::warp_atomics(&A, &X, &Y); });
        if (name == "warp_reduction") return run((rows + 7) / 8, y, expected, [&] { last::warp_reduction(&A, &X, &Y); });
        auto f = paper::positions;
        if (name == "positions_last") f = last::positions;
        if (name == "positions_ignore") f = paper::positions_ignore;
        if (name == "positions_precompute") f = last::positions_precompute;
        return run(NNZ / 2048, y, expected, [&] { f(&A, blocks.data(), &X, &Y); });
    }
};

// A kernel's name, and the year of the taco that wrote it.
static std::string label(const std::string &name) {
    if (name == "warp_continue") return "warp, continue 2020";
    if (name == "warp" || name == "positions" || name == "positions_ignore" || name == "rows" || name == "columns") return name + " 2020";
    if (name == "warp_last" || name == "positions_last") return name.substr(0, name.size() - 5) + " 2022";
    return name + " 2022";
}

static void spmv() {
    printf("matrix  schedule         longest  mean  busy  searches  atomics   needed  on one  wrong\n");
    for (std::string kind : {"even", "short", "skewed", "one"}) {
        Spmv s(kind);
        for (std::string name : {"rows", "columns", "positions_last", "positions"}) {
            Result r = s.go(name);
            printf("%-7s %-16s %7d %5.1f %4.0f%% %9d %8d %8d %7d %6d\n", kind.c_str(), label(name).c_str(), (int)r.longest, r.mean(), r.busy(),
                   (int)r.searches, (int)r.atomics, (int)(r.atomics - r.needless), (int)r.most, (int)r.wrong);
            record(kind + "_" + name, r, NNZ);
        }
    }
}

static void wrong() {
    printf("matrix  schedule                     rows  by several  plainly    wrong\n");
    for (std::string kind : {"even", "short", "skewed", "one"}) {
        Spmv s(kind);
        for (std::string name : {"positions_ignore", "warp", "warp_continue", "warp_last", "warp_reduction", "positions_precompute"}) {
            Result r = s.go(name);
            printf("%-7s %-25s %7d %11d %8d %8d\n", kind.c_str(), label(name).c_str(), s.rows, (int)r.shared, (int)r.racing, (int)r.wrong);
            record(kind + "_" + name, r, NNZ);
        }
    }
}

static void line(const std::string &name, const Result &r, double nnz) {
    printf("%-22s %8d %5.0f %4.0f%% %9d %10.2f %7d %8d %6d\n", name.c_str(), (int)r.longest, r.mean(), r.busy(), (int)r.searches,
           r.atomics / nnz, (int)r.shared, (int)r.racing, (int)r.wrong);
    record(name, r, nnz);
}

static void others() {
    // C = A B and A = B * (C D): a skewed matrix with fewer columns, 128 numbers in each dense row
    const int columns = 1024, width = 128, rows = 1024;
    state = 11;
    Csr a;
    a.pos.push_back(0);
    for (int i = 0; i < rows; i++) {
        int n = std::max(1, 400 / (1 + (i * 37) % rows));
        for (int k = 0; k < n; k++) a.crd.push_back((int)((k + uniform() / 2) * columns / n));
        a.pos.push_back((int)a.crd.size());
    }
    const int nnz = (int)a.crd.size();
    for (int k = 0; k < nnz; k++) a.value.push_back(Real(1 + k % 7));
    a.crd.resize(nnz + 4096);
    std::vector<Real> b = Spmv::vector(columns * width), c((size_t)rows * width), tall = Spmv::vector(rows * width);
    Handle A({rows, columns}, {{nullptr, nullptr}, {&a.pos, &a.crd}}, a.value);
    Handle B({columns, width}, {{nullptr, nullptr}, {nullptr, nullptr}}, b), C({rows, width}, {{nullptr, nullptr}, {nullptr, nullptr}}, c);
    std::vector<double> product(c.size(), 0.0);
    for (int i = 0; i < rows; i++)
        for (int p = a.pos[i]; p < a.pos[i + 1]; p++)
            for (int k = 0; k < width; k++) product[i * width + k] += a.value[p].v * b[a.crd[p] * width + k].v;
    printf("%d non-zeros; additions for each product (SDDMM: for each non-zero)\n", nnz);
    printf("schedule                longest  mean  busy  searches  additions  shared  plainly  wrong\n");
    number("nnz", nnz);
    Ints by64 = starts(a.pos, rows, 64, (nnz + 63) / 64), by2048 = starts(a.pos, rows, 2048, (nnz + 2047) / 2048);
    line("spmm_rows", run(rows / 32, c, product, [&] { paper::spmm_rows(&A, &B, &C); }), nnz * width);
    line("spmm_rows_atomics", run(rows / 32, c, product, [&] { last::spmm_rows_atomics(&A, &B, &C); }), nnz * width);
    line("spmm_positions_last", run((nnz + 63) / 64, c, product, [&] { last::spmm_positions(&A, &B, &C, by64.data()); }), nnz * width);
    line("spmm_positions", run((nnz + 63) / 64, c, product, [&] { paper::spmm_positions(&A, &B, &C, by64.data()); }), nnz * width);

    // SDDMM: D is stored by columns, so that D(j,k) is at k * width + j
    std::vector<Real> sampled((size_t)rows * columns);
    std::vector<double> dots(sampled.size(), 0.0);
    for (int i = 0; i < rows; i++)
        for (int p = a.pos[i]; p < a.pos[i + 1]; p++)
            for (int j = 0; j < width; j++) dots[i * columns + a.crd[p]] += a.value[p].v * tall[i * width + j].v * b[a.crd[p] * width + j].v;
    Handle R({rows, columns}, {{nullptr, nullptr}, {nullptr, nullptr}}, sampled), L({rows, width}, {{nullptr, nullptr}, {nullptr, nullptr}}, tall);
    Handle D({width, columns}, {{nullptr, nullptr}, {nullptr, nullptr}}, b);
    line("sddmm_threads", run((nnz + 2047) / 2048, sampled, dots, [&] { last::sddmm_threads(&R, &A, &L, &D, by2048.data()); }), nnz);
    line("sddmm_warps", run((nnz + 2047) / 2048, sampled, dots, [&] { last::sddmm_warps(&R, &A, &L, &D, by2048.data()); }), nnz);

    // MTTKRP: slices i of skewed size, fibres (i, k) of three values, rank 32
    const int rank = 32, slices = 256, middle = 64, leaf = 64;
    Ints p1 = {0, slices}, c1(slices), p2 = {0}, c2, p3 = {0}, c3;
    std::iota(c1.begin(), c1.end(), 0);
    for (int i = 0; i < slices; i++) {
        int fibres = std::max(1, 64 / (1 + i % 16));
        for (int k = 0; k < fibres; k++) {
            c2.push_back(k);
            for (int l = 0; l < 3; l++) c3.push_back(l * 21 + k % 21);
            p3.push_back((int)c3.size());
        }
        p2.push_back((int)c2.size());
    }
    const int values = (int)c3.size();
    std::vector<Real> v, f = Spmv::vector(middle * rank), g = Spmv::vector(leaf * rank), m((size_t)slices * rank);
    for (int n = 0; n < values; n++) v.push_back(Real(1 + n % 7));
    std::vector<double> sums(m.size(), 0.0);
    Handle V({slices, middle, leaf}, {{&p1, &c1}, {&p2, &c2}, {&p3, &c3}}, v);
    Handle F({middle, rank}, {{nullptr, nullptr}, {nullptr, nullptr}}, f), G({leaf, rank}, {{nullptr, nullptr}, {nullptr, nullptr}}, g);
    Handle M({slices, rank}, {{nullptr, nullptr}, {nullptr, nullptr}}, m);
    for (int i = 0; i < slices; i++)
        for (int q = p2[i]; q < p2[i + 1]; q++)
            for (int n = p3[q]; n < p3[q + 1]; n++)
                for (int j = 0; j < rank; j++) sums[i * rank + j] += v[n].v * g[c3[n] * rank + j].v * f[c2[q] * rank + j].v;
    int blocks = (values + 127) / 128;
    Ints k_starts = starts(p3, (int)c2.size(), 128, blocks), i_starts = starts(p2, slices, 0, blocks, &k_starts);
    c3.resize(values + 4096);
    V.arrays[2][1] = (uint8_t *)c3.data();
    printf("%d values in %d fibres and %d slices\n", values, (int)c2.size(), slices);
    number("values", values);
    line("mttkrp_slices", run(slices / 8, m, sums, [&] { paper::mttkrp_slices(&M, &V, &F, &G); }), values * rank);
    line("mttkrp_positions_last", run(blocks, m, sums, [&] { last::mttkrp_positions(&M, &V, &F, &G, i_starts.data(), k_starts.data()); }), values * rank);
    line("mttkrp_positions", run(blocks, m, sums, [&] { paper::mttkrp_positions(&M, &V, &F, &G, i_starts.data(), k_starts.data()); }), values * rank);
}

static void segments() {
    printf("matrix   piece  additions  each non-zero  to cut rows  on one row\n");
    for (std::string kind : {"even", "short", "skewed", "one"}) {
        Csr a = matrix(kind);
        for (int piece : {1, 8, 32, 256, 2048}) {
            u64 additions = 0, cut = 0, most = 0;
            for (int i = 0; i < a.rows(); i++) {
                if (a.pos[i] == a.pos[i + 1]) continue;
                u64 parts = (a.pos[i + 1] - 1) / piece - a.pos[i] / piece + 1;
                additions += parts;
                if (parts > 1) cut += parts;
                most = std::max(most, parts);
            }
            printf("%-7s %6d %10d %14.4f %12d %11d\n", kind.c_str(), piece, (int)additions, (double)additions / NNZ, (int)cut, (int)most);
            std::string id = kind + "_" + std::to_string(piece);
            number(id + "_additions", (double)additions);
            number(id + "_per", (double)additions / NNZ);
            number(id + "_cut", (double)cut);
            number(id + "_cut_per", (double)cut / NNZ);
            number(id + "_most", (double)most);
        }
    }
}

int main(int argc, char **argv) {
    std::string what = argc > 1 ? argv[1] : "";
    if (what == "code") code();
    else if (what == "spmv") spmv();
    else if (what == "wrong") wrong();
    else if (what == "others") others();
    else if (what == "segments") segments();
    else return 2;
    printf("%s}\n", json.c_str());
}
