/* A CUDA runtime without a GPU: one queue, and a clock each for host and device. Nothing is computed.

   Built as libcudart.so.13, it answers the calls that timing.cu makes and counts their time by these rules:

   - a launch, a memset or the record of an event puts an entry into the queue and returns;
   - the device takes the entries in order, each when it is free and the entry is there;
   - a full queue makes the call wait until the device has taken the oldest entry;
   - synchronising moves the host's clock to the end of the work, and a wake-up later;
   - the first call makes the context; the first launch of a kernel loads it, unless loading is eager;
   - with CUDA_LAUNCH_BLOCKING=1 each launch synchronises.

   The constants are assumptions. A kernel lasts as long as its first argument says. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

enum { LAUNCH = 2500, RECORD = 500, WAKE_UP = 5000, MEMSET = 100000, CONTEXT = 200000000, LOAD = 500000 }; /* ns */
enum { DEPTH = 1024, KERNELS = 16 };

typedef struct { const char *name; const void *function; int loaded; } Kernel;

static long long host, device;              /* nanoseconds: the time of the program, the end of the queued work */
static long long taken[DEPTH], entries;     /* when the device took each of the last entries */
static Kernel kernels[KERNELS];
static int known, ready;

static int set_to(const char *variable, const char *value) {
    const char *set = getenv(variable);
    return set && !strcmp(set, value);
}

static void load(Kernel *kernel) {
    host += kernel->loaded ? 0 : LOAD;
    kernel->loaded = 1;
}

static void begin(void) {
    if (ready)
        return;
    ready = 1;
    host += CONTEXT;
    for (int i = 0; i < known && set_to("CUDA_MODULE_LOADING", "EAGER"); i++)
        load(&kernels[i]);
}

/* Queues work of `length` whose call costs the host `cost`; returns when the device has done it. */
static long long enqueue(long long cost, long long length) {
    long long *slot = &taken[entries++ % DEPTH];
    host = (host > *slot ? host : *slot) + cost;
    device = host > device ? host : device;
    *slot = device;
    return device += length;
}

static void wait_for(long long moment) { host = (host > moment ? host : moment) + WAKE_UP; }

/* The clock of the program is the host's. */
int clock_gettime(clockid_t which, struct timespec *now) {
    (void)which;
    *now = (struct timespec){.tv_sec = host / 1000000000, .tv_nsec = host % 1000000000};
    return 0;
}

void **__cudaRegisterFatBinary(void *binary) {
    static void *handle;
    (void)binary;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
void __cudaRegisterFunction(void **handle, const char *function, char *device_function, const char *name, int limit,
                            void *tid, void *bid, void *block, void *grid, int *size) {
    (void)handle, (void)device_function, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)size;
    if (known < KERNELS)
        kernels[known++] = (Kernel){name, function, 0};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream) {
    (void)grid, (void)block, (void)shared, (void)stream;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    *grid = *block = (dim3){1, 1, 1};
    *shared = 0;
    *(cudaStream_t *)stream = 0;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    for (int i = 0; i < known; i++)
        if (kernels[i].function == function)
            *kernel = (cudaKernel_t)&kernels[i];
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream) {
    (void)grid, (void)block, (void)shared, (void)stream;
    begin();
    load((Kernel *)kernel);
    enqueue(LAUNCH, *(long long *)arguments[0]);
    if (set_to("CUDA_LAUNCH_BLOCKING", "1"))
        wait_for(device);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    begin();
    *pointer = (void *)bytes;
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
    (void)pointer, (void)value, (void)bytes, (void)stream;
    begin();
    enqueue(LAUNCH, MEMSET);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    begin();
    wait_for(device);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    begin();
    *event = (cudaEvent_t)calloc(1, sizeof(long long));
    return *event ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)stream;
    *(long long *)event = enqueue(RECORD, 0);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    wait_for(*(long long *)event);
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    *milliseconds = (float)(*(long long *)stop - *(long long *)start) / 1e6f;
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error) { return error ? "error" : "no error"; }
