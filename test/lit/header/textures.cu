// Texture and surface objects, and the references that CUDA 12 removed.
// RUN: %clang_cuda_ptx %s
texture<float, 1> line;
texture<uchar4, 2, cudaReadModeNormalizedFloat> picture;
texture<int2, cudaTextureType1D> pairs;
surface<void, 2> canvas;

__global__ void objects(float* a, float4* b, cudaTextureObject_t t, cudaSurfaceObject_t s) {
  int i = threadIdx.x;
  a[i] = tex1Dfetch<float>(t, i) + tex1D<float>(t, 0.5f) + tex2D<float>(t, 0.5f, 0.5f) + tex3D<float>(t, 0.1f, 0.2f, 0.3f);
  b[i] = tex2DLayered<float4>(t, 0.5f, 0.5f, i);
  a[i] += surf2Dread<float>(s, i * 4, 0);
  surf2Dwrite(a[i], s, i * 4, 1);
}

__global__ void references(float* a, float4* b) {
  int i = threadIdx.x;
  a[i] = tex1Dfetch(line, i) + tex1Dfetch(pairs, i).x;
  b[i] = tex2D(picture, 0.5f, 0.5f);
  surf2Dwrite(a[i], canvas, i * 4, 1, cudaBoundaryModeClamp);
}

void bind(float* data, cudaArray_t array) {
  line.filterMode = cudaFilterModeLinear;
  picture.addressMode[0] = cudaAddressModeWrap;
  cudaBindTexture(0, line, data, 16);
  cudaBindTextureToArray(picture, array);
  cudaUnbindTexture(line);
}
