// cuBLAS against plain loops: transposes, leading dimensions, factors, types, batches; columns, not rows.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK-NOT: finding
// CHECK: gemm 36 cases, 0 differ
// CHECK-NEXT: complex 9 cases, 0 differ
// CHECK-NEXT: half 0 differ
// CHECK-NEXT: integers 0 differ
// CHECK-NEXT: batched 0 differ
// CHECK-NEXT: gemv 0 differ
// CHECK-NEXT: ger 0 differ
// CHECK-NEXT: geam 0 differ
// CHECK-NEXT: trsm 48 cases, 0 differ
// CHECK-NEXT: syrk 0 differ
// CHECK-NEXT: inverse 0 differ
// CHECK-NEXT: vectors 14.00 5.00 3 6.00
// CHECK-NEXT: negative steps 10.00 20.00 30.00
// CHECK-NEXT: no number where beta is 0: 0
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <complex>
#include <cstdio>
#include <limits>
#include <vector>

static unsigned state = 1;
static double next() { return (int)((state = state * 1103515245u + 12345u) >> 16 & 15) - 7; }

template <class T> struct Device {
  T* at;
  size_t count;
  explicit Device(const std::vector<T>& v) : count(v.size()) {
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, v.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(at); }
  std::vector<T> back() const {
    std::vector<T> v(count);
    cudaMemcpy(v.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
};
template <class T> std::vector<T> filled(size_t n) {
  std::vector<T> v(n);
  for (T& x : v) x = (T)next();
  return v;
}
static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static cublasHandle_t handle;

template <class T, class Gemm> int gemms(Gemm gemm, int& cases) {
  int bad = 0;
  for (auto opA : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
    for (auto opB : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
      for (int beta = 0; beta < 2; ++beta) {
        const int m = 5, n = 4, k = 7, lda = 9, ldb = 8, ldc = 6;
        auto a = filled<T>(lda * 7), b = filled<T>(ldb * 7), c = filled<T>(ldc * n);
        Device<T> A(a), B(b), C(c);
        T alpha = 3, rest = beta * 2;
        gemm(handle, opA, opB, m, n, k, &alpha, A.at, lda, B.at, ldb, &rest, C.at, ldc);
        auto out = C.back();
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < ldc; ++i) {
            T want = c[i + j * ldc];
            if (i < m) {
              T sum = 0;
              for (int l = 0; l < k; ++l) sum += (opA ? a[l + i * lda] : a[i + l * lda]) * (opB ? b[j + l * ldb] : b[l + j * ldb]);
              want = alpha * sum + rest * want;
            }
            bad += out[i + j * ldc] != want;
          }
        ++cases;
      }
  return bad;
}

static int complexGemms() {
  typedef std::complex<float> Z;
  int bad = 0;
  for (auto opA : ops)
    for (auto opB : ops) {
      const int m = 3, n = 4, k = 5, ld = 6;
      std::vector<Z> a(ld * 5), b(ld * 5), c(ld * n);
      for (auto* v : {&a, &b, &c})
        for (Z& x : *v) x = Z(next(), next());
      Device<Z> A(a), B(b), C(c);
      Z alpha(2, 1), beta(0, 1);
      cublasCgemm(handle, opA, opB, m, n, k, (cuComplex*)&alpha, (cuComplex*)A.at, ld, (cuComplex*)B.at, ld, (cuComplex*)&beta,
                  (cuComplex*)C.at, ld);
      auto out = C.back();
      auto op = [&](const std::vector<Z>& v, cublasOperation_t o, int i, int j) {
        return o == CUBLAS_OP_N ? v[i + j * ld] : o == CUBLAS_OP_T ? v[j + i * ld] : std::conj(v[j + i * ld]);
      };
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          Z sum = 0;
          for (int l = 0; l < k; ++l) sum += op(a, opA, i, l) * op(b, opB, l, j);
          bad += std::abs(out[i + j * ld] - (alpha * sum + beta * c[i + j * ld])) > 1e-3;
        }
    }
  return bad;
}

static int trsms(int& cases) {
  int bad = 0;
  for (auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
      for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
        for (auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
          for (int imaginary = 0; imaginary < 2; ++imaginary) {
            typedef std::complex<double> Z;
            const int m = 4, n = 3, order = side == CUBLAS_SIDE_LEFT ? m : n, lda = 5, ldb = 6;
            std::vector<Z> a(lda * order), x(ldb * n), b(ldb * n);
            for (Z& v : a) v = Z(next(), imaginary * next()) / 8.0;
            for (Z& v : x) v = Z(next(), imaginary * next());
            for (int i = 0; i < order; ++i) a[i + i * lda] = Z(4, imaginary);
            auto triangle = [&](int i, int j) -> Z {
              if (i == j) return diagonal == CUBLAS_DIAG_UNIT ? Z(1) : a[i + i * lda];
              return (fill == CUBLAS_FILL_MODE_LOWER) == (i > j) ? a[i + j * lda] : Z(0);
            };
            auto turned = [&](int i, int j) {
              return op == CUBLAS_OP_N ? triangle(i, j) : op == CUBLAS_OP_T ? triangle(j, i) : std::conj(triangle(j, i));
            };
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < m; ++i) {
                Z sum = 0;
                for (int l = 0; l < order; ++l)
                  sum += side == CUBLAS_SIDE_LEFT ? turned(i, l) * x[l + j * ldb] : x[i + l * ldb] * turned(l, j);
                b[i + j * ldb] = sum / 2.0;
              }
            Device<Z> A(a), B(b);
            Z alpha(2);
            cublasZtrsm(handle, side, fill, op, diagonal, m, n, (cuDoubleComplex*)&alpha, (cuDoubleComplex*)A.at, lda,
                        (cuDoubleComplex*)B.at, ldb);
            auto out = B.back();
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < m; ++i) bad += std::abs(out[i + j * ldb] - x[i + j * ldb]) > 1e-9;
            ++cases;
          }
  return bad;
}

int main() {
  cublasCreate(&handle);
  int cases = 0, bad = gemms<float>(cublasSgemm, cases);
  bad += gemms<double>(cublasDgemm, cases);
  printf("gemm %d cases, %d differ\n", cases, bad);
  printf("complex 9 cases, %d differ\n", complexGemms());

  {  // halves in, floats out; then bytes
    const int m = 3, n = 2, k = 4;
    auto a = filled<float>(m * k), b = filled<float>(k * n);
    std::vector<__half> ha(a.begin(), a.end()), hb(b.begin(), b.end());
    std::vector<int8_t> ia(a.begin(), a.end()), ib(b.begin(), b.end());
    Device<__half> A(ha), B(hb);
    Device<int8_t> IA(ia), IB(ib);
    Device<float> C(std::vector<float>(m * n));
    Device<int> IC(std::vector<int>(m * n));
    float alpha = 2, beta = 0;
    int one = 1, none = 0;
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A.at, CUDA_R_16F, m, B.at, CUDA_R_16F, k, &beta, C.at,
                 CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, IA.at, CUDA_R_8I, m, IB.at, CUDA_R_8I, k, &none, IC.at,
                 CUDA_R_32I, m, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
    auto out = C.back();
    auto whole = IC.back();
    int badHalf = 0, badInteger = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        float sum = 0;
        for (int l = 0; l < k; ++l) sum += a[i + l * m] * b[l + j * k];
        badHalf += out[i + j * m] != 2 * sum;
        badInteger += whole[i + j * m] != (int)sum;
      }
    printf("half %d differ\nintegers %d differ\n", badHalf, badInteger);
  }
  {  // three products by pointers and by strides
    const int m = 2, n = 3, k = 2, batch = 3;
    auto a = filled<double>(m * k * batch), b = filled<double>(k * n * batch);
    Device<double> A(a), B(b), C(std::vector<double>(m * n * batch)), D(std::vector<double>(m * n * batch));
    std::vector<double*> as, bs, cs;
    for (int i = 0; i < batch; ++i) as.push_back(A.at + i * m * k), bs.push_back(B.at + i * k * n), cs.push_back(C.at + i * m * n);
    Device<double*> As(as), Bs(bs), Cs(cs);
    double alpha = 1, beta = 0;
    cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, As.at, m, Bs.at, k, &beta, Cs.at, m, batch);
    cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A.at, m, m * k, B.at, k, k * n, &beta, D.at, m,
                              m * n, batch);
    auto c = C.back(), d = D.back();
    bad = 0;
    for (int z = 0; z < batch; ++z)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          double sum = 0;
          for (int l = 0; l < k; ++l) sum += a[z * m * k + i + l * m] * b[z * k * n + l + j * k];
          bad += c[z * m * n + i + j * m] != sum || d[z * m * n + i + j * m] != sum;
        }
    printf("batched %d differ\n", bad);
  }
  {
    const int m = 4, n = 3, lda = 5;
    auto a = filled<float>(lda * n), x = filled<float>(8), y = filled<float>(8);
    bad = 0;
    for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      Device<float> A(a), X(x), Y(y);
      float alpha = 2, beta = -1;
      cublasSgemv(handle, op, m, n, &alpha, A.at, lda, X.at, 2, &beta, Y.at, 2);
      auto out = Y.back();
      for (int i = 0; i < (op ? n : m); ++i) {
        float sum = 0;
        for (int l = 0; l < (op ? m : n); ++l) sum += (op ? a[l + i * lda] : a[i + l * lda]) * x[2 * l];
        bad += out[2 * i] != 2 * sum - y[2 * i];
      }
    }
    printf("gemv %d differ\n", bad);
    Device<float> A(a), X(x), Y(y);
    float alpha = 3;
    cublasSger(handle, m, n, &alpha, X.at, 1, Y.at, 2, A.at, lda);
    auto out = A.back();
    bad = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) bad += out[i + j * lda] != a[i + j * lda] + 3 * x[i] * y[2 * j];
    printf("ger %d differ\n", bad);
    Device<float> B(x), C(std::vector<float>(m * n));
    float beta = 2;
    std::vector<float> b = filled<float>(n * m);
    Device<float> T(b);
    cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &alpha, A.at, lda, &beta, T.at, n, C.at, m);
    auto sum = C.back();
    bad = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) bad += sum[i + j * m] != 3 * out[i + j * lda] + 2 * b[j + i * n];
    printf("geam %d differ\n", bad);
  }
  cases = 0;
  bad = trsms(cases);
  printf("trsm %d cases, %d differ\n", cases, bad);
  {
    const int n = 3, k = 4;
    auto a = filled<float>(n * k), c = filled<float>(n * n);
    bad = 0;
    for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      Device<float> A(a), C(c);
      float alpha = 2, beta = 1;
      cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, op, n, k, &alpha, A.at, op ? k : n, &beta, C.at, n);
      auto out = C.back();
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          float sum = 0;
          for (int l = 0; l < k; ++l) sum += op ? a[l + i * k] * a[l + j * k] : a[i + l * n] * a[j + l * n];
          bad += out[i + j * n] != (i >= j ? 2 * sum + c[i + j * n] : c[i + j * n]);
        }
    }
    printf("syrk %d differ\n", bad);
  }
  {
    const int n = 3;
    std::vector<double> a = {0, 2, 1, 4, 1, 3, 2, 5, 1};
    Device<double> A(a), C(std::vector<double>(9));
    Device<double*> As({A.at}), Cs({C.at});
    Device<int> pivots(std::vector<int>(3)), info(std::vector<int>(1));
    cublasDgetrfBatched(handle, n, As.at, n, pivots.at, info.at, 1);
    cublasDgetriBatched(handle, n, As.at, n, pivots.at, Cs.at, n, info.at, 1);
    auto c = C.back();
    bad = info.back()[0];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int l = 0; l < n; ++l) sum += a[i + l * n] * c[l + j * n];
        bad += std::abs(sum - (i == j)) > 1e-12;
      }
    printf("inverse %d differ\n", bad);
  }
  {
    Device<float> X({1, 2, 3}), Y({3, 0, -4});
    float dot, nrm, sum;
    int at;
    cublasSdot(handle, 3, X.at, 1, X.at, 1, &dot);
    cublasSnrm2(handle, 3, Y.at, 1, &nrm);
    cublasIsamax(handle, 3, Y.at, 1, &at);
    cublasSasum(handle, 3, X.at, 1, &sum);
    printf("vectors %.2f %.2f %d %.2f\n", dot, nrm, at, sum);
    Device<float> from({30, 20, 10}), to({0, 0, 0});
    cublasScopy(handle, 3, from.at, -1, to.at, 1);
    auto out = to.back();
    printf("negative steps %.2f %.2f %.2f\n", out[0], out[1], out[2]);
    Device<float> A({1}), C({std::numeric_limits<float>::quiet_NaN()});
    float alpha = 1, beta = 0;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &alpha, A.at, 1, A.at, 1, &beta, C.at, 1);
    printf("no number where beta is 0: %d\n", C.back()[0] != 1);
  }
  cublasDestroy(handle);
}
