// cuBLAS on the embedded device: matrices by columns, in memory of the device, computed by the host.
#pragma once

#include <complex>
#include <optional>
#include <type_traits>
#include <vector>

#include "../Runtime.h"
#include "cuda_stub/cublas_v2.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace hone::cuda::blas {

// Numbers as the host computes with them: halves as floats, complex numbers as those of the standard library.
template <class T> struct HostNumber {
  typedef T Type;
};
template <> struct HostNumber<__half> {
  typedef float Type;
};
template <> struct HostNumber<cuComplex> {
  typedef std::complex<float> Type;
};
template <> struct HostNumber<cuDoubleComplex> {
  typedef std::complex<double> Type;
};
template <class T> using Number = typename HostNumber<T>::Type;

float load(const __half& x);
inline float load(const float& x) { return x; }
inline double load(const double& x) { return x; }
inline std::complex<float> load(const cuComplex& x) { return {x.x, x.y}; }
inline std::complex<double> load(const cuDoubleComplex& x) { return {x.x, x.y}; }
void store(__half& to, float x);
inline void store(float& to, float x) { to = x; }
inline void store(double& to, double x) { to = x; }
inline void store(cuComplex& to, std::complex<float> x) { to.x = x.real(), to.y = x.imag(); }
inline void store(cuDoubleComplex& to, std::complex<double> x) { to.x = x.real(), to.y = x.imag(); }

template <class T> T conjugate(T x) { return x; }
template <class T> std::complex<T> conjugate(std::complex<T> x) { return std::conj(x); }

// One call: where its operands are, and what went wrong.
class Call {
 public:
  Call(cublasHandle_t handle, const char* name);
  bool ok() const { return status == CUBLAS_STATUS_SUCCESS; }
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;

  // The host's view of `count` elements; null, with a report, where they are not in memory of the device.
  template <class T> T* operand(T* pointer, size_t count, bool writes) {
    return static_cast<T*>(bytes(pointer, count * sizeof(T), writes));
  }
  void* bytes(const void* pointer, size_t size, bool writes);
  // A factor or a result, which lies where the pointer mode says.
  template <class T> T* scalar(T* pointer, bool writes) {
    return static_cast<T*>(scalarBytes(const_cast<std::remove_const_t<T>*>(pointer), sizeof(T), writes));
  }
  void* scalarBytes(void* pointer, size_t size, bool writes);
  // Arguments that the library refuses.
  bool require(bool holds);

 private:
  cublasHandle_t handle;
  const char* name;
};

// Elements of a matrix of `columns` columns, `rows` of each and `ld` from one to the next.
inline size_t extent(long long rows, long long columns, long long ld) {
  return rows <= 0 || columns <= 0 ? 0 : size_t((columns - 1) * ld + rows);
}
inline size_t vectorExtent(long long n, long long step) {
  return n <= 0 ? 0 : size_t(1 + (n - 1) * (step < 0 ? -step : step));
}
// A vector with a negative step begins at its end.
inline size_t at(long long i, long long n, long long step) {
  return size_t(step < 0 ? (i - n + 1) * step : i * step);
}

// Runs now, or when the graph does that the handle's stream is being captured into.
cublasStatus_t onStreamOf(cublasHandle_t handle, std::function<cublasStatus_t()> work);

// op(A) element by element.
template <class T> Number<T> element(const T* a, int ld, cublasOperation_t op, long long row,
                                     long long column) {
  if (op == CUBLAS_OP_N) return load(a[row + column * ld]);
  const Number<T> value = load(a[column + row * ld]);
  return op == CUBLAS_OP_C ? conjugate(value) : value;
}

// C = alpha * op(A) * op(B) + beta * C by accessors: a(row, column), b(row, column) give numbers; c(row,
// column) is read only where beta is not 0, as what stands there need not be a number.
template <class Acc, class A, class B, class Get, class Put>
void multiply(long long m, long long n, long long k, Acc alpha, A a, B b, Acc beta, Get get, Put put) {
  std::vector<Acc> left(size_t(m) * size_t(k)), sums(static_cast<size_t>(m));
  for (long long l = 0; l < k; ++l)
    for (long long i = 0; i < m; ++i) left[size_t(l * m + i)] = a(i, l);
  for (long long j = 0; j < n; ++j) {
    std::fill(sums.begin(), sums.end(), Acc(0));
    for (long long l = 0; l < k; ++l) {
      const Acc factor = b(l, j);
      const Acc* column = left.data() + l * m;
      for (long long i = 0; i < m; ++i) sums[size_t(i)] += column[i] * factor;
    }
    for (long long i = 0; i < m; ++i) {
      const Acc product = alpha * sums[size_t(i)];
      put(i, j, beta == Acc(0) ? product : product + beta * get(i, j));
    }
  }
}

}  // namespace hone::cuda::blas
