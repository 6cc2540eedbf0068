// A wait for Blackwell's loads from tensor memory; only targets that have it accept it.
__global__ void wait() { asm volatile("tcgen05.wait::ld.sync.aligned;"); }
