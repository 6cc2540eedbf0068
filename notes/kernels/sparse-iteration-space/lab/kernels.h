// CUDA kernels as taco printed them for the schedules in schedules.cpp; only the names are shortened, and
// `__restrict__` is left out. namespace paper: taco at commit 3f355dd3b4f8 (4 August 2020, "cleanup for
// artifact", of the branch parallel-sparse-results). namespace last: commit 2b8ece4c230a (1 August 2022), the
// last one of master that we know. emulate.cpp says what threadIdx, atomicAdd and the others are.
// taco is under the MIT licence, Copyright (c) 2017-2019 MIT CSAIL, Adobe Systems, and other contributors:
// https://github.com/tensor-compiler/taco/blob/2b8ece4c230a5f0f0a74bc6f48e28edfb6c1c95e/LICENSE

namespace paper {

__global__ void rows(taco_tensor_t * A, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (256));
  if (threadIdx.x >= 256) {
    return;
  }

  int32_t i = block * 256 + thread;
  if (i >= A1_dimension)
    return;

  for (int32_t jA = A2_pos[i]; jA < A2_pos[(i + 1)]; jA++) {
    int32_t j = A2_crd[jA];
    y_vals[i] = y_vals[i] + A_vals[jA] * x_vals[j];
  }
}

__global__ void warp_atomics(taco_tensor_t * A, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 1; in++) {
    int32_t out = in * 8 + warp;
    int32_t i = block * 8 + out;
    if (i >= A1_dimension)
      break;

    double tnz_val = 0.0;
    for (int32_t nz = A2_pos[i] / 32; nz < ((A2_pos[(i + 1)] + 31) / 32); nz++) {
      int32_t fposA = nz * 32 + thread;
      if (fposA < A2_pos[i] || fposA >= A2_pos[(i + 1)])
        break;

      int32_t j = A2_crd[fposA];
      tnz_val = tnz_val + A_vals[fposA] * x_vals[j];
    }
    atomicAdd(&y_vals[i], tnz_val);
  }
}

__global__ void positions(taco_tensor_t * A, int32_t* i_blockStarts, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  double tnz_val = 0.0;
  int32_t pA2_begin = i_blockStarts[block];
  int32_t pA2_end = i_blockStarts[(block + 1)];
  int32_t fpos2 = thread * 8;
  int32_t fpos1 = warp * 256 + fpos2;
  int32_t fposA = block * 2048 + fpos1;
  int32_t i_pos = taco_binarySearchBefore(A2_pos, pA2_begin, pA2_end, fposA);
  int32_t i = i_pos;
  for (int32_t nz = 0; nz < 8; nz++) {
    int32_t fpos2 = thread * 8 + nz;
    int32_t fpos1 = warp * 256 + fpos2;
    int32_t fposA = block * 2048 + fpos1;
    if (fposA >= A2_pos[A1_dimension])
      break;

    int32_t f = A2_crd[fposA];
    while (fposA == A2_pos[(i_pos + 1)]) {
      i_pos = i_pos + 1;
      i = i_pos;
    }
    tnz_val = tnz_val + A_vals[fposA] * x_vals[f];
    if (fposA + 1 == A2_pos[(i_pos + 1)]) {
      atomicAdd(&y_vals[i], tnz_val);
      tnz_val = 0.0;
    }
  }
  atomicAddWarp<double>(y_vals, i, tnz_val);

}

__global__ void positions_ignore(taco_tensor_t * A, int32_t* i_blockStarts, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  int32_t pA2_begin = i_blockStarts[block];
  int32_t pA2_end = i_blockStarts[(block + 1)];
  int32_t fpos2 = thread * 8;
  int32_t fpos1 = warp * 256 + fpos2;
  int32_t fposA = block * 2048 + fpos1;
  int32_t i_pos = taco_binarySearchBefore(A2_pos, pA2_begin, pA2_end, fposA);
  int32_t i = i_pos;
  for (int32_t nz = 0; nz < 8; nz++) {
    int32_t fpos2 = thread * 8 + nz;
    int32_t fpos1 = warp * 256 + fpos2;
    int32_t fposA = block * 2048 + fpos1;
    if (fposA >= A2_pos[A1_dimension])
      break;

    int32_t f = A2_crd[fposA];
    while (fposA == A2_pos[(i_pos + 1)]) {
      i_pos = i_pos + 1;
      i = i_pos;
    }
    y_vals[i] = y_vals[i] + A_vals[fposA] * x_vals[f];
  }

}

__global__ void columns(taco_tensor_t * A, taco_tensor_t * x, taco_tensor_t * y){
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  int x1_dimension = (int)(x->dimensions[0]);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (256));
  if (threadIdx.x >= 256) {
    return;
  }

  int32_t j = block * 256 + thread;
  if (j >= x1_dimension)
    return;

  for (int32_t iA = A2_pos[j]; iA < A2_pos[(j + 1)]; iA++) {
    int32_t i = A2_crd[iA];
    atomicAdd(&y_vals[i], A_vals[iA] * x_vals[j]);
  }
}

__global__ void spmm_rows(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  int B2_dimension = (int)(B->dimensions[1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 4; in++) {
    int32_t fpos1 = warp * 4 + in;
    int32_t i = block * 32 + fpos1;
    if (i >= A1_dimension)
      break;

    for (int32_t out = 0; out < ((B2_dimension + 31) / 32); out++) {
      int32_t k = out * 32 + thread;
      if (k >= B2_dimension)
        break;

      int32_t kC = i * C2_dimension + k;
      for (int32_t jA = A2_pos[i]; jA < A2_pos[(i + 1)]; jA++) {
        int32_t j = A2_crd[jA];
        int32_t kB = j * B2_dimension + k;
        C_vals[kC] = C_vals[kC] + A_vals[jA] * B_vals[kB];
      }
    }
  }
}

__global__ void spmm_positions(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C, int32_t* i_blockStarts){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  int B2_dimension = (int)(B->dimensions[1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 4; in++) {
    int32_t k = in * 32 + thread;
    double tnz_val = 0.0;
    int32_t pA2_begin = i_blockStarts[block];
    int32_t pA2_end = i_blockStarts[(block + 1)];
    int32_t fpos1 = warp * 8;
    int32_t fposA = block * 64 + fpos1;
    int32_t i_pos = taco_binarySearchBefore(A2_pos, pA2_begin, pA2_end, fposA);
    int32_t i = i_pos;
    for (int32_t nz = 0; nz < 8; nz++) {
      int32_t fpos1 = warp * 8 + nz;
      int32_t fposA = block * 64 + fpos1;
      if (fposA >= A2_pos[A1_dimension])
        break;

      int32_t f = A2_crd[fposA];
      while (fposA == A2_pos[(i_pos + 1)]) {
        i_pos = i_pos + 1;
        i = i_pos;
      }
      int32_t kC = i * C2_dimension + k;
      int32_t kB = f * B2_dimension + k;
      tnz_val = tnz_val + A_vals[fposA] * B_vals[kB];
      if (fposA + 1 == A2_pos[(i_pos + 1)]) {
        atomicAdd(&C_vals[kC], tnz_val);
        tnz_val = 0.0;
      }
    }
    int32_t kC = i * C2_dimension + k;
    atomicAdd(&C_vals[kC], tnz_val);
  }

}

__global__ void mttkrp_slices(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C, taco_tensor_t * D){
  int A2_dimension = (int)(A->dimensions[1]);
  double* A_vals = (double*)(A->vals);
  int* B1_pos = (int*)(B->indices[0][0]);
  int* B1_crd = (int*)(B->indices[0][1]);
  int* B2_pos = (int*)(B->indices[1][0]);
  int* B2_crd = (int*)(B->indices[1][1]);
  int* B3_pos = (int*)(B->indices[2][0]);
  int* B3_crd = (int*)(B->indices[2][1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);
  int D2_dimension = (int)(D->dimensions[1]);
  double* D_vals = (double*)(D->vals);

  int32_t block = blockIdx.x + (B1_pos[0] / 8);
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t row = 0; row < 1; row++) {
    int32_t ipos1 = warp + row;
    int32_t iposB = block * 8 + ipos1;
    if (iposB < B1_pos[0] || iposB >= B1_pos[1])
      break;

    int32_t i = B1_crd[iposB];
    for (int32_t in = 0; in < 1; in++) {
      int32_t j = in * 32 + thread;
      if (j >= C2_dimension)
        break;

      int32_t jA = i * A2_dimension + j;
      for (int32_t kB = B2_pos[iposB]; kB < B2_pos[(iposB + 1)]; kB++) {
        int32_t k = B2_crd[kB];
        int32_t jC = k * C2_dimension + j;
        for (int32_t lB = B3_pos[kB]; lB < B3_pos[(kB + 1)]; lB++) {
          int32_t l = B3_crd[lB];
          int32_t jD = l * D2_dimension + j;
          A_vals[jA] = A_vals[jA] + B_vals[lB] * D_vals[jD] * C_vals[jC];
        }
      }
    }
  }
}

__global__ void mttkrp_positions(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C, taco_tensor_t * D, int32_t* i_blockStarts, int32_t* k_blockStarts){
  int A2_dimension = (int)(A->dimensions[1]);
  double* A_vals = (double*)(A->vals);
  int* B1_pos = (int*)(B->indices[0][0]);
  int* B1_crd = (int*)(B->indices[0][1]);
  int* B2_pos = (int*)(B->indices[1][0]);
  int* B2_crd = (int*)(B->indices[1][1]);
  int* B3_pos = (int*)(B->indices[2][0]);
  int* B3_crd = (int*)(B->indices[2][1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);
  int D2_dimension = (int)(D->dimensions[1]);
  double* D_vals = (double*)(D->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 1; in++) {
    int32_t j = in * 32 + thread;
    if (j >= C2_dimension)
      break;

    double tnz_val = 0.0;
    int32_t pB3_begin = k_blockStarts[block];
    int32_t pB3_end = k_blockStarts[(block + 1)];
    int32_t fpos1 = warp * 16;
    int32_t fposB = block * 128 + fpos1;
    int32_t k_pos = taco_binarySearchBefore(B3_pos, pB3_begin, pB3_end, fposB);
    int32_t k = B2_crd[k_pos];
    int32_t pB2_begin = i_blockStarts[block];
    int32_t pB2_end = i_blockStarts[(block + 1)];
    int32_t i_pos = taco_binarySearchBefore(B2_pos, pB2_begin, pB2_end, k_pos);
    int32_t i = B1_crd[i_pos];
    for (int32_t nz = 0; nz < 16; nz++) {
      int32_t fpos1 = warp * 16 + nz;
      int32_t fposB = block * 128 + fpos1;
      if (fposB >= B3_pos[B2_pos[B1_pos[1]]])
        break;

      int32_t f = B3_crd[fposB];
      if (fposB == B3_pos[(k_pos + 1)]) {
        k_pos = k_pos + 1;
        k = B2_crd[k_pos];
        if (k_pos == B2_pos[(i_pos + 1)]) {
          i_pos = i_pos + 1;
          i = B1_crd[i_pos];
        }
      }
      int32_t jA = i * A2_dimension + j;
      int32_t jD = f * D2_dimension + j;
      int32_t jC = k * C2_dimension + j;
      tnz_val = tnz_val + B_vals[fposB] * D_vals[jD] * C_vals[jC];
      if (fposB + 1 == B3_pos[(k_pos + 1)]) {
        atomicAdd(&A_vals[jA], tnz_val);
        tnz_val = 0.0;
      }
    }
    int32_t jA = i * A2_dimension + j;
    atomicAdd(&A_vals[jA], tnz_val);
  }

}

} // namespace paper
namespace last {

__global__ void warp_atomics(taco_tensor_t * A, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 1; in++) {
    int32_t out = in * 8 + warp;
    int32_t i = block * 8 + out;
    if (i >= A1_dimension)
      break;

    double tthready_val = 0.0;
    for (int32_t nz = A2_pos[i] / 32; nz < ((A2_pos[(i + 1)] + 31) / 32); nz++) {
      int32_t fposA = nz * 32 + thread;
      if (fposA < A2_pos[i] || fposA >= A2_pos[(i + 1)])
        break;

      int32_t j = A2_crd[fposA];
      tthready_val = tthready_val + A_vals[fposA] * x_vals[j];
    }
    y_vals[i] = y_vals[i] + tthready_val;
  }
}

__global__ void warp_reduction(taco_tensor_t * A, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 1; in++) {
    int32_t out = in * 8 + warp;
    int32_t i = block * 8 + out;
    if (i >= A1_dimension)
      break;

    double tthready_val = 0.0;
    for (int32_t nz = A2_pos[i] / 32; nz < ((A2_pos[(i + 1)] + 31) / 32); nz++) {
      int32_t fposA = nz * 32 + thread;
      if (fposA < A2_pos[i] || fposA >= A2_pos[(i + 1)])
        break;

      int32_t j = A2_crd[fposA];
      tthready_val = tthready_val + A_vals[fposA] * x_vals[j];
    }
    y_vals[i] = y_vals[i] + tthready_val;
  }
}

__global__ void positions(taco_tensor_t * A, int32_t* i_blockStarts, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  int32_t pA2_begin = i_blockStarts[block];
  int32_t pA2_end = i_blockStarts[(block + 1)];
  int32_t fpos2 = thread * 8;
  int32_t fpos1 = warp * 256 + fpos2;
  int32_t fposA = block * 2048 + fpos1;
  int32_t i_pos = taco_binarySearchBefore(A2_pos, pA2_begin, pA2_end, fposA);
  int32_t i = i_pos;
  for (int32_t nz = 0; nz < 8; nz++) {
    int32_t fpos2 = thread * 8 + nz;
    int32_t fpos1 = warp * 256 + fpos2;
    int32_t fposA = block * 2048 + fpos1;
    if (fposA >= A2_pos[A1_dimension])
      break;

    int32_t f = A2_crd[fposA];
    while (fposA == A2_pos[(i_pos + 1)]) {
      i_pos = i_pos + 1;
      i = i_pos;
    }
    atomicAdd(&y_vals[i], A_vals[fposA] * x_vals[f]);
  }

}

__global__ void positions_precompute(taco_tensor_t * A, int32_t* i_blockStarts, taco_tensor_t * x, taco_tensor_t * y){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  double* x_vals = (double*)(x->vals);
  double* y_vals = (double*)(y->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  double w[8];
  for (int32_t pw = 0; pw < 8; pw++) {
    w[pw] = 0.0;
  }
  int32_t nz = 0;
  int32_t fpos2 = thread * 8 + nz;
  int32_t fpos1 = warp * 256 + fpos2;
  int32_t fposA = block * 2048 + fpos1;
  int32_t f = A2_crd[fposA];
  if ((block * 2048 + fpos1) + 8 >= A2_pos[A1_dimension]) {
    for (int32_t pre = 0; pre < 8; pre++) {
      int32_t nz = pre;
      int32_t fpos2 = thread * 8 + nz;
      int32_t fpos1 = warp * 256 + fpos2;
      int32_t fposA = block * 2048 + fpos1;
      if (fposA >= A2_pos[A1_dimension])
        break;

      int32_t f = A2_crd[fposA];
      w[pre] = A_vals[fposA] * x_vals[f];
    }
  }
  else {
    #pragma unroll 8
    for (int32_t pre = 0; pre < 8; pre++) {
      int32_t nz = pre;
      int32_t fpos2 = thread * 8 + nz;
      int32_t fpos1 = warp * 256 + fpos2;
      int32_t fposA = block * 2048 + fpos1;
      int32_t f = A2_crd[fposA];
      w[pre] = A_vals[fposA] * x_vals[f];
    }
  }
  int32_t pA2_begin = i_blockStarts[block];
  int32_t pA2_end = i_blockStarts[(block + 1)];
  int32_t i_pos = taco_binarySearchBefore(A2_pos, pA2_begin, pA2_end, fposA);
  int32_t i = i_pos;
  for (int32_t nz = 0; nz < 8; nz++) {
    int32_t fpos2 = thread * 8 + nz;
    int32_t fpos1 = warp * 256 + fpos2;
    int32_t fposA = block * 2048 + fpos1;
    if (fposA >= A2_pos[A1_dimension])
      break;

    int32_t f = A2_crd[fposA];
    while (fposA == A2_pos[(i_pos + 1)]) {
      i_pos = i_pos + 1;
      i = i_pos;
    }
    y_vals[i] = w[nz];
  }

}

__global__ void spmm_rows_atomics(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  int B2_dimension = (int)(B->dimensions[1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 4; in++) {
    int32_t fpos1 = warp * 4 + in;
    int32_t i = block * 32 + fpos1;
    if (i >= A1_dimension)
      break;

    for (int32_t out = 0; out < ((B2_dimension + 31) / 32); out++) {
      int32_t k = out * 32 + thread;
      int32_t kC = i * C2_dimension + k;
      if (k >= B2_dimension)
        break;

      double tjC_val = 0.0;
      for (int32_t jA = A2_pos[i]; jA < A2_pos[(i + 1)]; jA++) {
        int32_t j = A2_crd[jA];
        int32_t kB = j * B2_dimension + k;
        tjC_val = tjC_val + A_vals[jA] * B_vals[kB];
      }
      atomicAdd(&C_vals[kC], tjC_val);
    }
  }
}

__global__ void spmm_positions(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C, int32_t* i_blockStarts){
  int A1_dimension = (int)(A->dimensions[0]);
  int* A2_pos = (int*)(A->indices[1][0]);
  int* A2_crd = (int*)(A->indices[1][1]);
  double* A_vals = (double*)(A->vals);
  int B2_dimension = (int)(B->dimensions[1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 4; in++) {
    int32_t k = in * 32 + thread;
    int32_t pA2_begin = i_blockStarts[block];
    int32_t pA2_end = i_blockStarts[(block + 1)];
    int32_t fpos1 = warp * 8;
    int32_t fposA = block * 64 + fpos1;
    int32_t i_pos = taco_binarySearchBefore(A2_pos, pA2_begin, pA2_end, fposA);
    int32_t i = i_pos;
    for (int32_t nz = 0; nz < 8; nz++) {
      int32_t fpos1 = warp * 8 + nz;
      int32_t fposA = block * 64 + fpos1;
      if (fposA >= A2_pos[A1_dimension])
        break;

      int32_t f = A2_crd[fposA];
      int32_t kB = f * B2_dimension + k;
      while (fposA == A2_pos[(i_pos + 1)]) {
        i_pos = i_pos + 1;
        i = i_pos;
      }
      int32_t kC = i * C2_dimension + k;
      atomicAdd(&C_vals[kC], A_vals[fposA] * B_vals[kB]);
    }
  }

}

__global__ void sddmm_threads(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C, taco_tensor_t * D, int32_t* i_blockStarts){
  int A2_dimension = (int)(A->dimensions[1]);
  double* A_vals = (double*)(A->vals);
  int B1_dimension = (int)(B->dimensions[0]);
  int* B2_pos = (int*)(B->indices[1][0]);
  int* B2_crd = (int*)(B->indices[1][1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);
  int D1_dimension = (int)(D->dimensions[0]);
  double* D_vals = (double*)(D->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  int32_t pB2_begin = i_blockStarts[block];
  int32_t pB2_end = i_blockStarts[(block + 1)];
  int32_t fpos2 = thread * 8;
  int32_t fpos1 = warp * 256 + fpos2;
  int32_t fposB = block * 2048 + fpos1;
  int32_t i_pos = taco_binarySearchBefore(B2_pos, pB2_begin, pB2_end, fposB);
  int32_t i = i_pos;
  for (int32_t nz = 0; nz < 8; nz++) {
    int32_t fpos2 = thread * 8 + nz;
    int32_t fpos1 = warp * 256 + fpos2;
    int32_t fposB = block * 2048 + fpos1;
    if (fposB >= B2_pos[B1_dimension])
      break;

    int32_t f = B2_crd[fposB];
    while (fposB == B2_pos[(i_pos + 1)]) {
      i_pos = i_pos + 1;
      i = i_pos;
    }
    int32_t kA = i * A2_dimension + f;
    for (int32_t j = 0; j < D1_dimension; j++) {
      int32_t jC = i * C2_dimension + j;
      int32_t jD = f * D1_dimension + j;
      A_vals[kA] = A_vals[kA] + (B_vals[fposB] * C_vals[jC]) * D_vals[jD];
    }
  }

}

__global__ void sddmm_warps(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C, taco_tensor_t * D, int32_t* i_blockStarts){
  int A2_dimension = (int)(A->dimensions[1]);
  double* A_vals = (double*)(A->vals);
  int B1_dimension = (int)(B->dimensions[0]);
  int* B2_pos = (int*)(B->indices[1][0]);
  int* B2_crd = (int*)(B->indices[1][1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);
  int D1_dimension = (int)(D->dimensions[0]);
  double* D_vals = (double*)(D->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  int32_t pB2_begin = i_blockStarts[block];
  int32_t pB2_end = i_blockStarts[(block + 1)];
  int32_t fpos1 = warp * 256;
  int32_t fposB = block * 2048 + fpos1;
  int32_t i_pos = taco_binarySearchBefore(B2_pos, pB2_begin, pB2_end, fposB);
  int32_t i = i_pos;
  for (int32_t nz = 0; nz < 256; nz++) {
    int32_t fpos1 = warp * 256 + nz;
    int32_t fposB = block * 2048 + fpos1;
    if (fposB >= B2_pos[B1_dimension])
      break;

    int32_t f = B2_crd[fposB];
    while (fposB == B2_pos[(i_pos + 1)]) {
      i_pos = i_pos + 1;
      i = i_pos;
    }
    int32_t kA = i * A2_dimension + f;
    #pragma unroll 4
    for (int32_t in = 0; in < 4; in++) {
      int32_t j = in * 32 + thread;
      int32_t jD = f * D1_dimension + j;
      int32_t jC = i * C2_dimension + j;
      atomicAddWarp<double>(A_vals, kA, (B_vals[fposB] * C_vals[jC]) * D_vals[jD]);
    }
  }

}

__global__ void mttkrp_positions(taco_tensor_t * A, taco_tensor_t * B, taco_tensor_t * C, taco_tensor_t * D, int32_t* i_blockStarts, int32_t* k_blockStarts){
  int A2_dimension = (int)(A->dimensions[1]);
  double* A_vals = (double*)(A->vals);
  int* B1_pos = (int*)(B->indices[0][0]);
  int* B1_crd = (int*)(B->indices[0][1]);
  int* B2_pos = (int*)(B->indices[1][0]);
  int* B2_crd = (int*)(B->indices[1][1]);
  int* B3_pos = (int*)(B->indices[2][0]);
  int* B3_crd = (int*)(B->indices[2][1]);
  double* B_vals = (double*)(B->vals);
  int C2_dimension = (int)(C->dimensions[1]);
  double* C_vals = (double*)(C->vals);
  int D2_dimension = (int)(D->dimensions[1]);
  double* D_vals = (double*)(D->vals);

  int32_t block = blockIdx.x;
  int32_t thread = (threadIdx.x % (32));
  int32_t warp = (threadIdx.x / 32);
  if (threadIdx.x >= 256) {
    return;
  }

  for (int32_t in = 0; in < 1; in++) {
    int32_t j = in * 32 + thread;
    if (j >= C2_dimension)
      break;

    int32_t pB3_begin = k_blockStarts[block];
    int32_t pB3_end = k_blockStarts[(block + 1)];
    int32_t fpos1 = warp * 16;
    int32_t fposB = block * 128 + fpos1;
    int32_t k_pos = taco_binarySearchBefore(B3_pos, pB3_begin, pB3_end, fposB);
    int32_t k = B2_crd[k_pos];
    int32_t pB2_begin = i_blockStarts[block];
    int32_t pB2_end = i_blockStarts[(block + 1)];
    int32_t i_pos = taco_binarySearchBefore(B2_pos, pB2_begin, pB2_end, k_pos);
    int32_t i = B1_crd[i_pos];
    for (int32_t nz = 0; nz < 16; nz++) {
      int32_t fpos1 = warp * 16 + nz;
      int32_t fposB = block * 128 + fpos1;
      if (fposB >= B3_pos[B2_pos[B1_pos[1]]])
        break;

      int32_t f = B3_crd[fposB];
      int32_t jD = f * D2_dimension + j;
      if (fposB == B3_pos[(k_pos + 1)]) {
        k_pos = k_pos + 1;
        k = B2_crd[k_pos];
        if (k_pos == B2_pos[(i_pos + 1)]) {
          i_pos = i_pos + 1;
          i = B1_crd[i_pos];
        }
      }
      int32_t jA = i * A2_dimension + j;
      int32_t jC = k * C2_dimension + j;
      atomicAdd(&A_vals[jA], (B_vals[fposB] * D_vals[jD]) * C_vals[jC]);
    }
  }

}

} // namespace last
