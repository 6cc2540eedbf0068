// A wait for Hopper's asynchronous matrix products; only targets that have them accept it.
__global__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;"); }
