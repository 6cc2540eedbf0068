/* A stand-in for CUDA's runtime, driver and management library, as far as PyTorch's caching allocator
   uses them.

   There is no GPU behind it: it hands out addresses of a device of GPU_MIB (1024) MiB, keeps account of
   what is taken, and computes nothing. It is preloaded, so its functions are called and not those of the
   real libcudart; a call that is not here reaches the real one, which fails for want of a driver. By hand
   (PyTorch opens it by the other two names):

       I=$(python3 -c 'import triton; print(triton.__path__[0])')/backends/nvidia/include
       gcc -shared -fPIC -I$I -o runtime.so runtime.c
       ln -s runtime.so libcuda.so.1; ln -s runtime.so libnvidia-ml.so.1
       LD_LIBRARY_PATH=. LD_PRELOAD=./runtime.so python3 sizes.py */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

int work_done = 1;                    /* set by the lab: does the GPU seem to have finished? */
long events_recorded;

enum { ALIGN = 2 << 20, MOST = 4096 };
static struct { size_t at, bytes; } taken[MOST];
static size_t used, next = 0x700000000000;

static size_t total(void)
{
    const char *mib = getenv("GPU_MIB");
    return (mib ? strtoul(mib, NULL, 10) : 1024) << 20;
}

static size_t address(size_t bytes)
{
    size_t at = next;
    next += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

/* Memory of the device, by its address or its handle; 0 if there is too little. */
static size_t take(size_t bytes)
{
    for (int i = 0; i < MOST && used + bytes <= total(); i++)
        if (!taken[i].at) {
            used += taken[i].bytes = bytes;
            return taken[i].at = address(bytes);
        }
    return 0;
}

static void give(size_t at)
{
    for (int i = 0; i < MOST; i++)
        if (at && taken[i].at == at) {
            used -= taken[i].bytes;
            taken[i].at = 0;
        }
}

/* The runtime. */
cudaError_t cudaMalloc(void **at, size_t bytes)
{
    *at = (void *)take(bytes);
    return *at ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void *at) { give((size_t)at); return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    *all = total(), *left = *all - used;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int *count) { *count = 1; return cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { *device = 0; return cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device ? cudaErrorInvalidDevice : cudaSuccess; }
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    strcpy(p->name, "stand-in");
    p->major = 9, p->warpSize = 32, p->multiProcessorCount = 1, p->totalGlobalMem = total();
    return cudaSetDevice(device);
}
cudaError_t cudaDriverGetVersion(int *version) { *version = CUDART_VERSION; return cudaSuccess; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { (void)stream; return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *most)
{
    *least = 0, *most = -1;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)flags, (void)priority;
    *stream = (cudaStream_t)address(1);
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    (void)stream;
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **before, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
    (void)id, (void)graph, (void)before, (void)edges, (void)count;
    return cudaStreamIsCapturing(stream, status);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    (void)mode;
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = (cudaEvent_t)address(1);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)event, (void)stream;
    events_recorded++;
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    (void)event;
    return work_done ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { (void)event; return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { (void)event; return cudaSuccess; }

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    *flags = 0, *active = 1;
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* The driver's calls that map memory, for expandable segments. What else is asked for does nothing. */
static CUresult reserve(CUdeviceptr *at, size_t bytes) { *at = address(bytes); return CUDA_SUCCESS; }
static CUresult create(CUmemGenericAllocationHandle *handle, size_t bytes)
{
    *handle = take(bytes);
    return *handle ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
static CUresult release(CUmemGenericAllocationHandle handle) { give(handle); return CUDA_SUCCESS; }
static CUresult granularity(size_t *bytes) { *bytes = ALIGN; return CUDA_SUCCESS; }
static CUresult nothing(void) { return CUDA_SUCCESS; }

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    static const struct { const char *name; void *function; } known[] = {
        {"cuMemAddressReserve", reserve}, {"cuMemCreate", create}, {"cuMemRelease", release},
        {"cuMemGetAllocationGranularity", granularity},
    };
    (void)version, (void)flags;
    *function = nothing;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name)) *function = known[i].function;
    if (result) *result = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}

/* The management library: a device without a name, in use by no process. */
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device) { (void)id; *device = 0; return 0; }
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count)
{
    (void)device;
    *count = 0;
    return 0;
}
int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = CUDART_VERSION; return 0; }
int nvmlDeviceGetNvLinkRemoteDeviceType(void) { return 3; }           /* NVML_ERROR_NOT_SUPPORTED */
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void) { return 3; }
