// Prints the CUDA kernels that taco generates for the schedules below. Not run by the lab: it needs taco.
//   git clone https://github.com/tensor-compiler/taco && cd taco && git checkout COMMIT && git submodule update --init
//   cmake -B build -DCMAKE_BUILD_TYPE=Release && make -C build taco
//   g++ -std=c++14 -Iinclude -Isrc -Ibuild/include schedules.cpp -Lbuild/lib -ltaco -Wl,-rpath,build/lib -o schedules
//   ./schedules
// For the commit of 2020 add -DPROMOTE= and, with GCC 12, -include limits -include cstdint to both builds.
// kernels.h holds what it printed. A schedule that taco refuses is printed with the reason.
#include "taco.h"
#include "taco/cuda.h"
#include "taco/index_notation/transformations.h"
#include "taco/lower/lower.h"
#include "codegen/codegen.h"
#include "codegen/codegen_cuda.h"
#include <functional>
#include <iostream>
using namespace taco;
#ifndef PROMOTE                // what TensorBase::compile does before it lowers; -DPROMOTE= for a version without it
#define PROMOTE scalarPromote
#endif
using Unit = ParallelUnit;
using Race = OutputRaceStrategy;

static IndexVar i("i"), j("j"), k("k"), l("l");
static IndexVar f("f"), fpos("fpos"), fpos1("fpos1"), fpos2("fpos2");
static IndexVar block("block"), warp("warp"), thread("thread"), nz("nz"), pre("pre"), out("out"), in("in");

static void print(const std::string &name, std::function<IndexStmt()> schedule) {
    std::cout << "//==== " << name << std::endl;
    try {
        IndexStmt stmt = PROMOTE(schedule());
        auto generator = ir::CodeGen::init_default(std::cout, ir::CodeGen::ImplementationGen);
        generator->compile(lower(stmt, name, false, true), true);
    } catch (const std::exception &e) {
        std::cout << "refused: " << e.what() << std::endl;
    }
}

static IndexStmt tag(IndexStmt s, Race blocks, Race warps, Race threads) {
    return s.parallelize(block, Unit::GPUBlock, blocks)
        .parallelize(warp, Unit::GPUWarp, warps)
        .parallelize(thread, Unit::GPUThread, threads);
}

int main() {
    set_CUDA_codegen_enabled(true);
    const int n = 1024;
    Tensor<double> A("A", {n, n}, CSR), T("A", {n, n}, CSC), x("x", {n}, Format({Dense}));
    Tensor<double> rm("B", {n, n}, Format({Dense, Dense})), cm("D", {n, n}, Format({{Dense, Dense}, {1, 0}}));

    // y = A x
    auto spmv = [&](Tensor<double> &matrix) {
        Tensor<double> y("y", {n}, Format({Dense}));
        y(i) = matrix(i, j) * x(j);
        return y.getAssignment().concretize();
    };
    auto by_position = [&](IndexStmt s) {          // 8 non-zeros a thread, 256 a warp, 2048 a block
        return s.fuse(i, j, f).pos(f, fpos, A(i, j)).split(fpos, block, fpos1, 2048)
            .split(fpos1, warp, fpos2, 256).split(fpos2, thread, nz, 8).reorder({block, warp, thread, nz});
    };
    auto by_warp = [&](IndexStmt s) {              // a warp for each row
        return s.split(i, block, out, 8).split(out, in, warp, 8).pos(j, fpos, A(i, j))
            .split(fpos, nz, thread, 32).reorder({block, warp, in, thread, nz});
    };
    print("rows", [&] {
        return spmv(A).split(i, block, thread, 256).parallelize(block, Unit::GPUBlock, Race::NoRaces)
            .parallelize(thread, Unit::GPUThread, Race::NoRaces);
    });
    print("positions", [&] { return tag(by_position(spmv(A)), Race::IgnoreRaces, Race::IgnoreRaces, Race::Atomics); });
    print("positions_ignore", [&] { return tag(by_position(spmv(A)), Race::IgnoreRaces, Race::IgnoreRaces, Race::IgnoreRaces); });
    print("positions_noraces", [&] { return tag(by_position(spmv(A)), Race::NoRaces, Race::NoRaces, Race::NoRaces); });
    print("positions_precompute", [&] {
        Tensor<double> y("y", {n}, Format({Dense}));
        IndexExpr product = A(i, j) * x(j);
        y(i) = product;
        TensorVar w("w", Type(Float64, {Dimension(nz)}), taco::dense);
        IndexStmt s = by_position(y.getAssignment().concretize()).precompute(product, nz, pre, w).unroll(pre, 8);
        return tag(s, Race::IgnoreRaces, Race::IgnoreRaces, Race::Atomics);
    });
    print("warp_temporary", [&] { return tag(by_warp(spmv(A)), Race::IgnoreRaces, Race::IgnoreRaces, Race::Temporary); });
    print("warp_reduction", [&] { return tag(by_warp(spmv(A)), Race::IgnoreRaces, Race::IgnoreRaces, Race::ParallelReduction); });
    print("warp_atomics", [&] { return tag(by_warp(spmv(A)), Race::IgnoreRaces, Race::IgnoreRaces, Race::Atomics); });
    print("columns", [&] {
        return spmv(T).reorder({j, i}).split(j, block, thread, 256).parallelize(block, Unit::GPUBlock, Race::IgnoreRaces)
            .parallelize(thread, Unit::GPUThread, Race::Atomics);
    });

    // C = A B, C and B dense with 128 columns
    auto spmm = [&] {
        Tensor<double> C("C", {n, n}, Format({Dense, Dense}));
        C(i, k) = A(i, j) * rm(j, k);
        return C.getAssignment().concretize();
    };
    auto mm_rows = [&](IndexStmt s) {              // 4 rows a warp, a column a lane
        return s.split(i, block, fpos1, 32).split(fpos1, warp, in, 4).split(k, out, thread, 32)
            .reorder({block, warp, in, thread, out, j});
    };
    print("spmm_rows", [&] { return tag(mm_rows(spmm()), Race::NoRaces, Race::NoRaces, Race::NoRaces); });
    print("spmm_rows_atomics", [&] { return tag(mm_rows(spmm()), Race::IgnoreRaces, Race::IgnoreRaces, Race::Atomics); });
    print("spmm_positions", [&] {                  // 8 non-zeros a warp, a column a lane
        IndexStmt s = spmm().reorder({i, j, k}).fuse(i, j, f).pos(f, fpos, A(i, j)).split(fpos, block, fpos1, 64)
            .split(fpos1, warp, nz, 8).split(k, out, thread, 32).reorder({block, warp, thread, out, nz})
            .bound(out, in, 4, BoundType::MaxExact);
        return tag(s, Race::IgnoreRaces, Race::IgnoreRaces, Race::Atomics);
    });

    // A = B * (C D), B sparse
    Tensor<double> B("B", {n, n}, CSR), C("C", {n, n}, Format({Dense, Dense}));
    auto sddmm = [&](Format format) {
        Tensor<double> R("A", {n, n}, format);
        R(i, k) = B(i, k) * C(i, j) * cm(j, k);
        return R.getAssignment().concretize();
    };
    auto sd_threads = [&](IndexStmt s) {           // 8 non-zeros a thread
        return s.reorder({i, k, j}).fuse(i, k, f).pos(f, fpos, B(i, k)).split(fpos, block, fpos1, 2048)
            .split(fpos1, warp, fpos2, 256).split(fpos2, thread, nz, 8).reorder({block, warp, thread, nz, j});
    };
    print("sddmm_threads", [&] { return tag(sd_threads(sddmm({Dense, Dense})), Race::NoRaces, Race::NoRaces, Race::NoRaces); });
    print("sddmm_sparse", [&] { return tag(sd_threads(sddmm(CSR)), Race::NoRaces, Race::NoRaces, Race::NoRaces); });
    print("sddmm_warps", [&] {                     // 256 non-zeros a warp, the lanes share the dot product
        IndexStmt s = sddmm({Dense, Dense}).reorder({i, k, j}).fuse(i, k, f).pos(f, fpos, B(i, k)).split(fpos, block, fpos1, 2048)
            .split(fpos1, warp, nz, 256).split(j, out, thread, 32).bound(out, in, 4, BoundType::MaxExact)
            .reorder({block, warp, nz, thread, in}).unroll(in, 4);
        return tag(s, Race::IgnoreRaces, Race::Atomics, Race::ParallelReduction);
    });

    // A(i,j) = B(i,k,l) * D(l,j) * C(k,j), B in CSF
    Tensor<double> X("B", {n, n, n}, Format({Sparse, Sparse, Sparse}));
    Tensor<double> F("D", {n, n}, Format({Dense, Dense}));
    auto mttkrp = [&] {
        Tensor<double> R("A", {n, n}, Format({Dense, Dense}));
        R(i, j) = X(i, k, l) * F(l, j) * C(k, j);
        return R.getAssignment().concretize().reorder({i, k, l, j});
    };
    IndexVar kl("kl");
    print("mttkrp_positions", [&] {                // 16 values a warp, a column a lane
        IndexStmt s = mttkrp().fuse(k, l, kl).fuse(i, kl, f).pos(f, fpos, X(i, k, l)).split(fpos, block, fpos1, 128)
            .split(fpos1, warp, nz, 16).split(j, out, thread, 32).bound(out, in, 1, BoundType::MaxExact)
            .reorder({block, warp, in, thread, nz});
        return tag(s, Race::IgnoreRaces, Race::IgnoreRaces, Race::Atomics);
    });
    IndexVar ipos("ipos"), ipos1("ipos1"), row("row");
    print("mttkrp_slices", [&] {                   // a slice a warp, a column a lane
        IndexStmt s = mttkrp().pos(i, ipos, X(i, k, l)).split(ipos, block, ipos1, 8).split(ipos1, warp, row, 1)
            .split(j, out, thread, 32).bound(out, in, 1, BoundType::MaxExact).reorder({block, warp, row, in, thread, k, l});
        return tag(s, Race::NoRaces, Race::NoRaces, Race::NoRaces);
    });
}
