// A texture object over an array: filtered reads at the edges, and a surface that is written.
#include <cstdio>
#include <vector>

__global__ void blur(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
  out[y * w + x] = sum / 9;
}

int main() {
  const int w = 24, h = 10;
  std::vector<float> pixels(w * h), result(w * h);
  for (int i = 0; i < w * h; ++i) pixels[i] = float(i * 7 % 32);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, w, h);
  cudaMemcpy2DToArray(array, 0, 0, pixels.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModePoint;
  texture.readMode = cudaReadModeElementType;
  cudaTextureObject_t object;
  cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  float* out;
  cudaMalloc(&out, w * h * sizeof(float));
  blur<<<dim3(2, 2), dim3(16, 8)>>>(object, out, w, h);
  cudaMemcpy(result.data(), out, w * h * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float f : result) sum += f;
  std::printf("corner %.4f, middle %.4f, mean %.4f\n", result[0], result[5 * w + 12], sum / (w * h));
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);
  cudaFree(out);
}
