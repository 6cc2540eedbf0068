// How many blocks fit on a multiprocessor, as NVIDIA's own header computes it: a host program, no GPU.
//
//     oracle    a line for each chip, block size, registers and shared memory:
//               capability, threads, registers per thread, bytes of shared memory, blocks

#include <cuda_occupancy.h>

#include <cstdio>
#include <initializer_list>

struct Chip {
    int major, minor, threads, shared, optin;
};

// Threads and bytes of shared memory of a multiprocessor, and bytes at most for one block. The
// registers, 65536, and 48 KiB of shared memory without asking for more are the same on all.
static const Chip chips[] = {
    {7, 0, 2048, 98304, 98304},    {7, 5, 1024, 65536, 65536},    {8, 0, 2048, 167936, 166912},
    {8, 6, 1536, 102400, 101376},  {8, 9, 1536, 102400, 101376},  {9, 0, 2048, 233472, 232448},
    {10, 0, 2048, 233472, 232448}, {12, 0, 1536, 102400, 101376},
};

static int blocks(const Chip &chip, int threads, int registers, size_t shared) {
    cudaOccDeviceProp device;
    device.computeMajor = chip.major;
    device.computeMinor = chip.minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = chip.threads;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = chip.shared;
    device.sharedMemPerBlockOptin = chip.optin;
    device.reservedSharedMemPerBlock = chip.major >= 8 ? 1024 : 0;
    device.numSms = 1;
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = registers;
    kernel.sharedSizeBytes = 0;
    kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = chip.optin;
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    cudaOccResult result;
    int error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, shared);
    return error ? -1 : result.activeBlocksPerMultiprocessor;
}

int main() {
    for (const Chip &chip : chips)
        for (int threads : {32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024})
            for (int registers : {16, 24, 32, 33, 40, 48, 63, 64, 65, 80, 96, 121, 128, 168, 255})
                for (int shared : {0, 1000, 4096, 8192, 16384, 30000, 49152})
                    printf("%d.%d %d %d %d %d\n", chip.major, chip.minor, threads, registers, shared,
                           blocks(chip, threads, registers, shared));
}
