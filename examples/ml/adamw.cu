// One step of AdamW, one parameter per thread.
//   adamw [parameters [step]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void adamw(float* parameters, const float* gradients, float* m, float* v, int n, float rate, float beta1, float beta2,
                      float correction1, float correction2, float epsilon, float decay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float gradient = gradients[i];
    float first = beta1 * m[i] + (1.0f - beta1) * gradient;
    float second = beta2 * v[i] + (1.0f - beta2) * gradient * gradient;
    m[i] = first;
    v[i] = second;
    parameters[i] -= rate * (first / correction1 / (sqrtf(second / correction2) + epsilon) + decay * parameters[i]);
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "adamw: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 100003;
  int step = argc > 2 ? std::atoi(argv[2]) : 1;
  const float rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f, decay = 0.01f;
  const float correction1 = float(1 - std::pow(double(beta1), step)), correction2 = float(1 - std::pow(double(beta2), step));
  std::vector<float> parameters(n), gradients(n), m(n), v(n);
  for (int i = 0; i < n; ++i) {
    parameters[i] = (float(i % 97) - 48) / 16, gradients[i] = (float(i % 89) - 44) / 32;
    m[i] = (float(i % 13) - 6) / 64, v[i] = float(1 + i % 11) / 64;
  }
  std::vector<float> parametersAfter(n), mAfter(n), vAfter(n);
  float *dParameters, *dGradients, *dM, *dV;
  check(cudaMalloc(&dParameters, parameters.size() * sizeof(float)));
  check(cudaMalloc(&dGradients, gradients.size() * sizeof(float)));
  check(cudaMalloc(&dM, m.size() * sizeof(float)));
  check(cudaMalloc(&dV, v.size() * sizeof(float)));
  check(cudaMemcpy(dParameters, parameters.data(), parameters.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dGradients, gradients.data(), gradients.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dM, m.data(), m.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dV, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  adamw<<<(n + 255) / 256, 256>>>(dParameters, dGradients, dM, dV, n, rate, beta1, beta2, correction1, correction2, epsilon, decay);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(parametersAfter.data(), dParameters, parameters.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(mAfter.data(), dM, m.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(vAfter.data(), dV, v.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dParameters));
  check(cudaFree(dGradients));
  check(cudaFree(dM));
  check(cudaFree(dV));

  double total = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    double p = parameters[i], g = gradients[i], first = m[i], second = v[i];
    first = beta1 * first + (1 - double(beta1)) * g, second = beta2 * second + (1 - double(beta2)) * g * g;
    p -= rate * (first / correction1 / (std::sqrt(second / correction2) + epsilon) + decay * p);
    wrong += !(std::fabs(parametersAfter[i] - p) <= 1e-4) + !(std::fabs(mAfter[i] - first) <= 1e-5) +
             !(std::fabs(vAfter[i] - second) <= 1e-5);
    total += double(parametersAfter[i]) * (1 + i % 3);
  }
  std::printf("adamw %d: checksum %.6g, %s\n", n, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
