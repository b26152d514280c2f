// Functions that are told the types of numbers by tags.
#include <cmath>
#include <cstring>
#include <string>

#include "Blas.h"
#include "sim/functions/HalfFloat.h"

using namespace hone::cuda;
using namespace hone::cuda::blas;

namespace {

size_t bytesOf(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8U: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 0;
  }
}

template <class T> T raw(const void* base, size_t i) {
  T out;
  std::memcpy(&out, static_cast<const uint8_t*>(base) + i * sizeof(T), sizeof(T));
  return out;
}
template <class T> void put(void* base, size_t i, T value) {
  std::memcpy(static_cast<uint8_t*>(base) + i * sizeof(T), &value, sizeof(T));
}

// A real number of any type; doubles hold each exactly.
double realAt(const void* base, cudaDataType type, size_t i) {
  switch (type) {
    case CUDA_R_8I: return raw<int8_t>(base, i);
    case CUDA_R_8U: return raw<uint8_t>(base, i);
    case CUDA_R_16F: return hone::sim::halfFromBits(raw<uint16_t>(base, i));
    case CUDA_R_16BF: return hone::sim::bfloatFromBits(raw<uint16_t>(base, i));
    case CUDA_R_32F: return raw<float>(base, i);
    case CUDA_R_32I: return raw<int32_t>(base, i);
    default: return raw<double>(base, i);
  }
}
void putReal(void* base, cudaDataType type, size_t i, double value) {
  using hone::sim::Rounding;
  switch (type) {
    case CUDA_R_8I: put<int8_t>(base, i, int8_t(std::clamp(std::nearbyint(value), -128.0, 127.0))); break;
    case CUDA_R_16F:
      put(base, i, hone::sim::halfBits(hone::sim::roundToHalf<Rounding::Nearest>(value)));
      break;
    case CUDA_R_16BF:
      put(base, i, hone::sim::bfloatBits(hone::sim::roundToBFloat<Rounding::Nearest>(value)));
      break;
    case CUDA_R_32F: put(base, i, float(value)); break;
    case CUDA_R_32I: put(base, i, int32_t(value)); break;
    default: put(base, i, value);
  }
}
bool isComplex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

struct Operand {
  const void* data;
  cudaDataType type;
  int ld;
};

struct MixedProduct {
  cublasOperation_t opA, opB;
  int m, n, k;
  Operand a, b, c;
};

// Sums are kept as Acc, so that they are rounded as the type of computation says.
template <class Acc, class Scalar>
void multiplyReal(const MixedProduct& p, const void* left, const void* right, void* to, Scalar alpha,
                  Scalar beta) {
  const auto ofA = [&](long long i, long long l) {
    return Acc(realAt(left, p.a.type, size_t(p.opA == CUBLAS_OP_N ? i + l * p.a.ld : l + i * p.a.ld)));
  };
  const auto ofB = [&](long long l, long long j) {
    return Acc(realAt(right, p.b.type, size_t(p.opB == CUBLAS_OP_N ? l + j * p.b.ld : j + l * p.b.ld)));
  };
  multiply<Acc>(
      p.m, p.n, p.k, Acc(alpha), ofA, ofB, Acc(beta),
      [&](long long i, long long j) { return Acc(realAt(to, p.c.type, size_t(i + j * p.c.ld))); },
      [&](long long i, long long j, Acc x) { putReal(to, p.c.type, size_t(i + j * p.c.ld), double(x)); });
}

cublasStatus_t mixed(cublasHandle_t h, MixedProduct p, const void* alpha, const void* beta,
                     cublasComputeType_t compute, long long strideA, long long strideB, long long strideC,
                     int batch) {
  if (isComplex(p.a.type)) {  // all of one type, as in the functions of that type
    if (p.a.type != p.b.type || p.a.type != p.c.type) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (p.a.type == CUDA_C_32F)
      return cublasCgemmStridedBatched(
          h, p.opA, p.opB, p.m, p.n, p.k, static_cast<const cuComplex*>(alpha),
          static_cast<const cuComplex*>(p.a.data), p.a.ld, strideA, static_cast<const cuComplex*>(p.b.data),
          p.b.ld, strideB, static_cast<const cuComplex*>(beta),
          static_cast<cuComplex*>(const_cast<void*>(p.c.data)), p.c.ld, strideC, batch);
    return cublasZgemmStridedBatched(
        h, p.opA, p.opB, p.m, p.n, p.k, static_cast<const cuDoubleComplex*>(alpha),
        static_cast<const cuDoubleComplex*>(p.a.data), p.a.ld, strideA,
        static_cast<const cuDoubleComplex*>(p.b.data), p.b.ld, strideB,
        static_cast<const cuDoubleComplex*>(beta), static_cast<cuDoubleComplex*>(const_cast<void*>(p.c.data)),
        p.c.ld, strideC, batch);
  }
  return onStreamOf(h, [=] {
    Call call(h, "cublasGemmEx");
    const size_t sizes[] = {bytesOf(p.a.type), bytesOf(p.b.type), bytesOf(p.c.type)};
    if (!sizes[0] || !sizes[1] || !sizes[2] || isComplex(p.b.type) || isComplex(p.c.type))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!call.require(p.m >= 0 && p.n >= 0 && p.k >= 0 && batch >= 0 &&
                      p.a.ld >= std::max(1, p.opA == CUBLAS_OP_N ? p.m : p.k) &&
                      p.b.ld >= std::max(1, p.opB == CUBLAS_OP_N ? p.k : p.n) && p.c.ld >= std::max(1, p.m)))
      return call.status;
    const bool ofIntegers = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    const bool ofDoubles = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    const bool ofHalves = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const cudaDataType scale = ofIntegers  ? CUDA_R_32I
                               : ofDoubles ? CUDA_R_64F
                               : ofHalves  ? CUDA_R_16F
                                           : CUDA_R_32F;
    const void* factor = call.scalarBytes(const_cast<void*>(alpha), bytesOf(scale), false);
    const void* rest = call.scalarBytes(const_cast<void*>(beta), bytesOf(scale), false);
    for (int at = 0; call.ok() && at < batch; ++at) {
      const auto place = [&](const Operand& o, size_t size, long long stride) {
        return static_cast<const uint8_t*>(o.data) + (long long)(size)*stride * at;
      };
      const size_t inA = p.opA == CUBLAS_OP_N ? extent(p.m, p.k, p.a.ld) : extent(p.k, p.m, p.a.ld);
      const size_t inB = p.opB == CUBLAS_OP_N ? extent(p.k, p.n, p.b.ld) : extent(p.n, p.k, p.b.ld);
      const void* left = call.bytes(place(p.a, sizes[0], strideA), inA * sizes[0], false);
      const void* right = call.bytes(place(p.b, sizes[1], strideB), inB * sizes[1], false);
      void* to = call.bytes(place(p.c, sizes[2], strideC), extent(p.m, p.n, p.c.ld) * sizes[2], true);
      if (!call.ok() || !to) break;
      const double a = realAt(factor, scale, 0), b = realAt(rest, scale, 0);
      if (ofIntegers)
        multiplyReal<int64_t>(p, left, right, to, a, b);
      else if (ofDoubles)
        multiplyReal<double>(p, left, right, to, a, b);
      else
        multiplyReal<float>(p, left, right, to, a, b);
    }
    return call.status;
  });
}

}  // namespace

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                            int k, const void* alpha, const void* a, cudaDataType aType, int lda,
                            const void* b, cudaDataType bType, int ldb, const void* beta, void* c,
                            cudaDataType cType, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return mixed(h, {opA, opB, m, n, k, {a, aType, lda}, {b, bType, ldb}, {c, cType, ldc}}, alpha, beta,
               compute, 0, 0, 0, 1);
}
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                            int k, const void* alpha, const void* a, cudaDataType aType, int lda,
                            const void* b, cudaDataType bType, int ldb, const void* beta, void* c,
                            cudaDataType cType, int ldc, cudaDataType compute, cublasGemmAlgo_t algorithm) {
  const cublasComputeType_t type = compute == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
                                   : compute == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                   : compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                                           : CUBLAS_COMPUTE_32F;
  return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, aType, lda, b, bType, ldb, beta, c, cType, ldc, type,
                      algorithm);
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB,
                                          int m, int n, int k, const void* alpha, const void* a,
                                          cudaDataType aType, int lda, long long strideA, const void* b,
                                          cudaDataType bType, int ldb, long long strideB, const void* beta,
                                          void* c, cudaDataType cType, int ldc, long long strideC, int batch,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  return mixed(h, {opA, opB, m, n, k, {a, aType, lda}, {b, bType, ldb}, {c, cType, ldc}}, alpha, beta,
               compute, strideA, strideB, strideC, batch);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                             int k, const float* alpha, const void* a, cudaDataType aType, int lda,
                             const void* b, cudaDataType bType, int ldb, const float* beta, void* c,
                             cudaDataType cType, int ldc) {
  return mixed(h, {opA, opB, m, n, k, {a, aType, lda}, {b, bType, ldb}, {c, cType, ldc}}, alpha, beta,
               CUBLAS_COMPUTE_32F, 0, 0, 0, 1);
}

cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void* x, cudaDataType xType, int incx,
                           const void* y, cudaDataType yType, int incy, void* result, cudaDataType resultType,
                           cudaDataType) {
  if (xType == CUDA_C_32F || xType == CUDA_C_64F) {
    if (xType != yType || xType != resultType) return CUBLAS_STATUS_NOT_SUPPORTED;
    return xType == CUDA_C_32F
               ? cublasCdotu(h, n, static_cast<const cuComplex*>(x), incx, static_cast<const cuComplex*>(y),
                             incy, static_cast<cuComplex*>(result))
               : cublasZdotu(h, n, static_cast<const cuDoubleComplex*>(x), incx,
                             static_cast<const cuDoubleComplex*>(y), incy,
                             static_cast<cuDoubleComplex*>(result));
  }
  return onStreamOf(h, [=] {
    Call call(h, "cublasDotEx");
    if (!bytesOf(xType) || !bytesOf(yType) || !bytesOf(resultType)) return CUBLAS_STATUS_NOT_SUPPORTED;
    const void* first = call.bytes(x, vectorExtent(n, incx) * bytesOf(xType), false);
    const void* second = call.bytes(y, vectorExtent(n, incy) * bytesOf(yType), false);
    void* to = call.scalarBytes(result, bytesOf(resultType), true);
    if (!call.ok()) return call.status;
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += realAt(first, xType, at(i, n, incx)) * realAt(second, yType, at(i, n, incy));
    putReal(to, resultType, 0, sum);
    return call.status;
  });
}
