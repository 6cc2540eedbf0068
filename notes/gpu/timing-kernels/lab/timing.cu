// Times one kernel in several ways. Runs with a GPU, and with the model of the CUDA runtime in model.c.
//
//     ./timing            a table in microseconds, then the same as JSON
//     ./timing starts     the first launches of the process, one a line
//     ./timing lengths    what four ways read, by the length of the kernel, as JSON
//     ./timing queue      what a launch costs, early and late in a row of 2000, as JSON

#include <chrono>
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

static const long long SHORT = 2000, LONG = 1000000;  // nanoseconds that a kernel spins
static const int LAUNCHES = 1000;
static const size_t CACHE = 256 << 20;  // bytes that are overwritten before a cold run

__global__ void spin(long long nanoseconds) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
}

__global__ void spin_too(long long nanoseconds) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
}

static double clock_us() {
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

static void *buffer;
static cudaEvent_t start, stop;

// A clock around the call.
static double call(long long length) {
    double begin = clock_us();
    spin<<<1, 1>>>(length);
    double end = clock_us();
    cudaDeviceSynchronize();
    return end - begin;
}

// Synchronised behind the kernel, with ten milliseconds of other work in the queue before it.
static double half_synchronised(long long length) {
    for (int i = 0; i < 10; i++)
        spin<<<1, 1>>>(LONG);
    double begin = clock_us();
    spin<<<1, 1>>>(length);
    cudaDeviceSynchronize();
    return clock_us() - begin;
}

static double synchronised(long long length) {
    cudaDeviceSynchronize();
    double begin = clock_us();
    spin<<<1, 1>>>(length);
    cudaDeviceSynchronize();
    return clock_us() - begin;
}

static double many(long long length) {
    cudaDeviceSynchronize();
    double begin = clock_us();
    for (int i = 0; i < LAUNCHES; i++)
        spin<<<1, 1>>>(length);
    cudaDeviceSynchronize();
    return (clock_us() - begin) / LAUNCHES;
}

static double between_events(long long length) {
    cudaEventRecord(start);
    spin<<<1, 1>>>(length);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float milliseconds;
    cudaEventElapsedTime(&milliseconds, start, stop);
    return 1000.0 * milliseconds;
}

// The queue is empty, so the device reaches the first event before the kernel is there.
static double events_idle(long long length) {
    cudaDeviceSynchronize();
    return between_events(length);
}

// The device is still overwriting the cache when the host has queued all three.
static double events_behind_work(long long length) {
    cudaMemsetAsync(buffer, 0, CACHE);
    return between_events(length);
}

struct Way {
    const char *name, *what;
    double (*time)(long long);
};

static const Way WAYS[] = {
    {"call", "clock around the call", call},
    {"half", "clock, synchronised behind only", half_synchronised},
    {"sync", "clock, synchronised before and behind", synchronised},
    {"many", "clock, 1000 launches, synchronised, divided", many},
    {"idle", "events, queue empty", events_idle},
    {"behind", "events, queue not empty", events_behind_work},
};

static void table() {
    printf("%-44s %10s %10s\n", "microseconds", "kernel of 2", "of 1000");
    double got[6][2];
    for (int i = 0; i < 6; i++) {
        got[i][0] = WAYS[i].time(SHORT);
        got[i][1] = WAYS[i].time(LONG);
        printf("%-44s %11.1f %10.1f\n", WAYS[i].what, got[i][0], got[i][1]);
    }
    printf("{");
    for (int i = 0; i < 6; i++)
        printf("%s\"%s_short\": %.4f, \"%s_long\": %.4f", i ? ", " : "", WAYS[i].name, got[i][0], WAYS[i].name,
               got[i][1]);
    printf("}\n");
}

static void lengths() {
    const int microseconds[] = {2, 5, 20, 50, 200};
    printf("{");
    for (int length : microseconds)
        for (int i = 2; i < 6; i++)
            printf("%s\"%s_%d\": %.4f", length == 2 && i == 2 ? "" : ", ", WAYS[i].name, length,
                   WAYS[i].time(1000LL * length));
    printf("}\n");
}

static double launch_of(void (*kernel)(long long), long long length = SHORT) {
    double begin = clock_us();
    kernel<<<1, 1>>>(length);
    return clock_us() - begin;
}

static void starts() {
    double begin = clock_us();
    cudaMalloc(&buffer, 1 << 20);
    double first_call = clock_us() - begin;
    double a1 = launch_of(spin), a2 = launch_of(spin), b1 = launch_of(spin_too), b2 = launch_of(spin_too);
    printf("first call, a cudaMalloc   %9.1f us\n", first_call);
    printf("first launch of spin       %9.1f us\n", a1);
    printf("second launch of spin      %9.1f us\n", a2);
    printf("first launch of spin_too   %9.1f us\n", b1);
    printf("second launch of spin_too  %9.1f us\n", b2);
    printf("{\"first_call\": %.4f, \"first\": %.4f, \"second\": %.4f, \"other_first\": %.4f, \"other_second\": %.4f}\n",
           first_call, a1, a2, b1, b2);
}

static void queue() {
    double early = 0, late = 0;
    for (int i = 0; i < 2000; i++) {
        double took = launch_of(spin, 200000);
        early += i < 100 ? took / 100 : 0;
        late += i >= 1900 ? took / 100 : 0;
    }
    cudaDeviceSynchronize();
    printf("{\"early\": %.4f, \"late\": %.4f}\n", early, late);
}

int main(int count, char **words) {
    const char *mode = count > 1 ? words[1] : "table";
    if (!strcmp(mode, "starts")) {
        starts();
        return 0;
    }
    cudaMalloc(&buffer, CACHE);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    spin<<<1, 1>>>(SHORT);  // warm-up: the first launch loads the kernel
    cudaDeviceSynchronize();
    if (!strcmp(mode, "lengths"))
        lengths();
    else if (!strcmp(mode, "queue"))
        queue();
    else
        table();
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
