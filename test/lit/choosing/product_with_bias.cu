// Rows of both factors and a bias: merged threads cannot be told apart from the output by a test before the launch, so that nothing is staged for them. Single threads can, and are merged afterwards.
// RUN: %hone opt %s --cuda-path none --kernel product --candidates 1 | FileCheck %s
// RUN: %hone opt %s --cuda-path none --kernel product --recipe 'swap-axes block(x=64, y=64) merge-threads(x=4, y=4, how=adjacent) stage' -o %t.cu 2>&1 | FileCheck --check-prefix=WHY %s --implicit-check-not='merged 4x4'
// CHECK: * {{.*}} stage(depth={{[0-9]+}}) merge-threads(x=4, y=4)
// WHY: left alone: `{{inp|weight}}` is not staged: {{inp|weight}} may alias out
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
