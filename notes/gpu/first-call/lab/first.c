/* What the first calls of an OpenCL program cost, step by step, in microseconds of CPU time.
 *
 *     ./first [CALLS]
 *
 * Prints one line for each step, "name microseconds". The device is a CPU here (PoCL), but the
 * program asks for whatever device there is, and it has the steps of a GPU program: find the
 * device, make a context, build the program, launch a kernel, launch it again. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static const char *SOURCE =
    "__kernel void scale(__global float *x, float a) { size_t i = get_global_id(0); x[i] = x[i] * a; }\n"
    "__kernel void shift(__global float *x, float a) { size_t i = get_global_id(0); x[i] = x[i] + a; }\n"
    "__kernel void unused(__global float *x, float a) { size_t i = get_global_id(0); x[i] = x[i] - a; }\n";

/* CPU time so far, of all threads and of the linker that PoCL starts. Unlike the time on the wall it
 * leaves out the waiting for a core; what other programs do to the caches it still contains. */
static double now(void) {
    struct timespec t;
    struct rusage children;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    getrusage(RUSAGE_CHILDREN, &children);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3 +
           (children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1e6 +
           children.ru_utime.tv_usec + children.ru_stime.tv_usec;
}

static double since;                      /* when the step that is running began */

static void step(const char *name) {
    printf("%s %.1f\n", name, now() - since);
    since = now();
}

static void check(cl_int error, const char *what) {
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s failed: %d\n", what, error);
        exit(1);
    }
}

static cl_command_queue queue;
static cl_mem buffer;

/* Launches the kernel `calls` times with work-groups of `local` items and waits after each. */
static void launch(cl_kernel kernel, size_t local, int calls, const char *name) {
    size_t items = 1 << 16;
    char label[40];
    float a = 1;
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof a, &a), "clSetKernelArg");
    for (int call = 1; call <= calls; call++) {
        snprintf(label, sizeof label, "%s-%zu", name, local);
        since = now();
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL), "launch");
        check(clFinish(queue), "clFinish");
        step(label);
    }
}

int main(int argc, char **argv) {
    int calls = argc > 1 ? atoi(argv[1]) : 100;
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;

    since = now();
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    step("platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    step("device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    step("context");
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float) << 16, NULL, &error);
    check(error, "clCreateBuffer");
    float zero = 0;
    check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, sizeof(float) << 16, 0, NULL, NULL), "fill");
    check(clFinish(queue), "clFinish");
    step("buffer");                       /* with its first touch */
    cl_program program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    step("build");
    cl_kernel scale = clCreateKernel(program, "scale", &error);
    check(error, "clCreateKernel");
    cl_kernel shift = clCreateKernel(program, "shift", &error);
    check(error, "clCreateKernel");

    launch(scale, 64, calls, "scale");    /* the first launch of this kernel, and those behind it */
    launch(scale, 128, calls, "scale");   /* another shape of the same kernel */
    launch(shift, 64, calls, "shift");    /* another kernel */
    launch(shift, 64, calls, "again");    /* the control: all of this has been launched before */
    return 0;
}
