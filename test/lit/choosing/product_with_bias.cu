// Rows of both factors through pointers of the threads' own, and a bias: what merged threads load by them is told apart from the output by a test before the launch, so that it is staged.
// RUN: %hone opt %s --cuda-path none --kernel product --candidates 1 | FileCheck %s
// RUN: %hone opt %s --cuda-path none --kernel product --recipe 'swap-axes block(x=64, y=64) merge-threads(x=4, y=4, how=adjacent) stage' -o %t.cu 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: FileCheck --check-prefix=CODE %s < %t.cu
// CHECK: * {{.*}} merge-threads(x=4, y=4{{.*}}) stage(depth={{[0-9]+}})
// WHY: merged 4x4 threads of a block into one
// WHY: staged through shared memory: 64 x 16 elements of weight
// WHY: staged through shared memory: 64 x 16 elements of inp
// CODE: const bool apart = (out + (long long)BT * OC <= weight || weight + (long long)OC * C <= out) &&
// CODE-NEXT: (inp + (long long)BT * C <= out || out + (long long)BT * OC <= inp);
__global__ void product(float* out, const float* inp, const float* weight, const float* bias, int BT, int C,
                        int OC) {
  const int bt = blockIdx.x * blockDim.x + threadIdx.x;
  const int oc = blockIdx.y * blockDim.y + threadIdx.y;
  if (bt < BT && oc < OC) {
    float val = (bias != nullptr) ? bias[oc] : 0.0f;
    const float* wrow = weight + oc * C;
    const float* row = inp + bt * C;
    for (int i = 0; i < C; i++) val += row[i] * wrow[i];
    out[bt * OC + oc] = val;
  }
}
