// Known work for the check on a GPU: so many kernels, copies, sets and graphs, counted by the ring afterwards.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>

#define DO(call)                                                                                                       \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != cudaSuccess) {                                                                                        \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

__global__ void argus_check_short(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void argus_check_long(float *x, int rounds) {
    float v = x[threadIdx.x];
    for (int i = 0; i < rounds; i++) v = v * 1.000001f + 0.5f;
    x[threadIdx.x] = v;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 20, per_step = argc > 2 ? atoi(argv[2]) : 100, graphs = argc > 3 ? atoi(argv[3]) : 10;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW) : nullptr; // the one that the driver loads
    auto step_begins = library ? (void (*)(long long))dlsym(library, "argus_cupti_step") : nullptr;
    float *device, *host;
    DO(cudaMalloc(&device, 1 << 20));
    DO(cudaMallocHost(&host, 1 << 20));
    cudaStream_t stream;
    DO(cudaStreamCreate(&stream));

    cudaGraph_t graph;
    cudaGraphExec_t ready;
    DO(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 5; i++) argus_check_short<<<16, 128, 0, stream>>>(device);
    DO(cudaStreamEndCapture(stream, &graph));
    DO(cudaGraphInstantiateWithFlags(&ready, graph, 0));

    auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < steps; step++) {
        if (step_begins) step_begins(step);
        DO(cudaMemcpyAsync(device, host, 1 << 20, cudaMemcpyHostToDevice, stream));
        DO(cudaMemsetAsync(device, 0, 4096, stream));
        for (int i = 0; i < per_step; i++) argus_check_short<<<16, 128, 0, stream>>>(device);
        argus_check_long<<<1, 32, 0, stream>>>(device, 100000);
        DO(cudaMemcpyAsync(host, device, 1 << 20, cudaMemcpyDeviceToHost, stream));
        DO(cudaStreamSynchronize(stream));
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (int i = 0; i < graphs; i++) DO(cudaGraphLaunch(ready, stream));
    DO(cudaStreamSynchronize(stream));
    printf("step_microseconds %.1f\n", seconds * 1e6 / steps);
    return 0;
}
