// Stands in for the toolkit's header of this name.
#pragma once
#pragma GCC system_header
#include <math.h>
#include <stdint.h>

#include "cuComplex.h"
#include "cuda_fp16.h"

// Programs ask by these whether the toolkit's headers were read.
#define CUBLAS_API_H_
#define CUBLAS_V2_H_

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext* cublasHandle_t;

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VERSION 120800

cublasStatus_t cublasCreate(cublasHandle_t*);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasGetVersion(cublasHandle_t, int*);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t*);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode(cublasHandle_t, cublasPointerMode_t*);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t*);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, size_t);
const char* cublasGetStatusString(cublasStatus_t);
const char* cublasGetStatusName(cublasStatus_t);
cublasStatus_t cublasSetVector(int n, int elementBytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int elementBytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetVectorAsync(int n, int elementBytes, const void* x, int incx, void* y, int incy, cudaStream_t);
cublasStatus_t cublasGetVectorAsync(int n, int elementBytes, const void* x, int incx, void* y, int incy, cudaStream_t);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elementBytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elementBytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elementBytes, const void* a, int lda, void* b, int ldb, cudaStream_t);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elementBytes, const void* a, int lda, void* b, int ldb, cudaStream_t);
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream

// The functions of one type of numbers. Sizes of the _64 forms are int64_t.
#define __hone_blas_vectors(X, little, T, N, S)                                                                            \
  cublasStatus_t cublas##X##axpy##S(cublasHandle_t, N n, const T* alpha, const T* x, N incx, T* y, N incy);         \
  cublasStatus_t cublas##X##copy##S(cublasHandle_t, N n, const T* x, N incx, T* y, N incy);                         \
  cublasStatus_t cublas##X##swap##S(cublasHandle_t, N n, T* x, N incx, T* y, N incy);                               \
  cublasStatus_t cublas##X##scal##S(cublasHandle_t, N n, const T* alpha, T* x, N incx);                             \
  cublasStatus_t cublasI##little##amax##S(cublasHandle_t, N n, const T* x, N incx, N* result);                           \
  cublasStatus_t cublasI##little##amin##S(cublasHandle_t, N n, const T* x, N incx, N* result);
#define __hone_blas_norms(Y, T, R, N, S)                                                                        \
  cublasStatus_t cublas##Y##nrm2##S(cublasHandle_t, N n, const T* x, N incx, R* result);                            \
  cublasStatus_t cublas##Y##asum##S(cublasHandle_t, N n, const T* x, N incx, R* result);
#define __hone_blas_matrices(X, T)                                                                                 \
  cublasStatus_t cublas##X##gemv(cublasHandle_t, cublasOperation_t, int m, int n, const T* alpha, const T* a, int lda, \
                                 const T* x, int incx, const T* beta, T* y, int incy);                              \
  cublasStatus_t cublas##X##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, const T* alpha,  \
                                 const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc);           \
  cublasStatus_t cublas##X##dgmm(cublasHandle_t, cublasSideMode_t, int m, int n, const T* a, int lda, const T* x,    \
                                 int incx, T* c, int ldc);                                                          \
  cublasStatus_t cublas##X##trsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,              \
                                 cublasDiagType_t, int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb); \
  cublasStatus_t cublas##X##trsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int n,       \
                                 const T* a, int lda, T* x, int incx);                                              \
  cublasStatus_t cublas##X##syrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k, const T* alpha,  \
                                 const T* a, int lda, const T* beta, T* c, int ldc);                                \
  cublasStatus_t cublas##X##symm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m, int n, const T* alpha,   \
                                 const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc);           \
  cublasStatus_t cublas##X##symv(cublasHandle_t, cublasFillMode_t, int n, const T* alpha, const T* a, int lda,       \
                                 const T* x, int incx, const T* beta, T* y, int incy);                              \
  cublasStatus_t cublas##X##getrfBatched(cublasHandle_t, int n, T* const a[], int lda, int* pivots, int* info,       \
                                         int batch);                                                                \
  cublasStatus_t cublas##X##getriBatched(cublasHandle_t, int n, const T* const a[], int lda, const int* pivots,      \
                                         T* const c[], int ldc, int* info, int batch);                              \
  cublasStatus_t cublas##X##getrsBatched(cublasHandle_t, cublasOperation_t, int n, int rhs, const T* const a[],      \
                                         int lda, const int* pivots, T* const b[], int ldb, int* info, int batch);
#define __hone_blas_products(X, T)                                                                                 \
  cublasStatus_t cublas##X##gemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,          \
                                 const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c,      \
                                 int ldc);                                                                          \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,   \
                                        const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,    \
                                        const T* beta, T* const c[], int ldc, int batch);                           \
  cublasStatus_t cublas##X##gemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,   \
                                               int k, const T* alpha, const T* a, int lda, long long strideA,       \
                                               const T* b, int ldb, long long strideB, const T* beta, T* c, int ldc, \
                                               long long strideC, int batch);
#define __hone_blas_type(X, x, T)            \
  __hone_blas_vectors(X, x, T, int, )        \
  __hone_blas_vectors(X, x, T, int64_t, _64) \
  __hone_blas_matrices(X, T)                 \
  __hone_blas_products(X, T)
__hone_blas_type(S, s, float)
__hone_blas_type(D, d, double)
__hone_blas_type(C, c, cuComplex)
__hone_blas_type(Z, z, cuDoubleComplex)
__hone_blas_products(H, __half)
#define __hone_blas_all_norms(N, suffix)            \
  __hone_blas_norms(S, float, float, N, suffix)     \
  __hone_blas_norms(D, double, double, N, suffix)   \
  __hone_blas_norms(Sc, cuComplex, float, N, suffix) \
  __hone_blas_norms(Dz, cuDoubleComplex, double, N, suffix)
__hone_blas_all_norms(int, )
__hone_blas_all_norms(int64_t, _64)
#define __hone_blas_dot(name, T) \
  cublasStatus_t cublas##name(cublasHandle_t, int n, const T* x, int incx, const T* y, int incy, T* result);
__hone_blas_dot(Sdot, float)
__hone_blas_dot(Ddot, double)
__hone_blas_dot(Cdotu, cuComplex)
__hone_blas_dot(Cdotc, cuComplex)
__hone_blas_dot(Zdotu, cuDoubleComplex)
__hone_blas_dot(Zdotc, cuDoubleComplex)
#define __hone_blas_ger(name, T)                                                                                    \
  cublasStatus_t cublas##name(cublasHandle_t, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, \
                              T* a, int lda);
__hone_blas_ger(Sger, float)
__hone_blas_ger(Dger, double)
__hone_blas_ger(Cgeru, cuComplex)
__hone_blas_ger(Cgerc, cuComplex)
__hone_blas_ger(Zgeru, cuDoubleComplex)
__hone_blas_ger(Zgerc, cuDoubleComplex)
cublasStatus_t cublasSrot(cublasHandle_t, int n, float* x, int incx, float* y, int incy, const float* c, const float* s);
cublasStatus_t cublasDrot(cublasHandle_t, int n, double* x, int incx, double* y, int incy, const double* c, const double* s);

// Types of numbers by their tags.
cublasStatus_t cublasDotEx(cublasHandle_t, int n, const void* x, cudaDataType xType, int incx, const void* y,
                           cudaDataType yType, int incy, void* result, cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const void* alpha,
                            const void* a, cudaDataType aType, int lda, const void* b, cudaDataType bType, int ldb,
                            const void* beta, void* c, cudaDataType cType, int ldc, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const void* alpha,
                            const void* a, cudaDataType aType, int lda, const void* b, cudaDataType bType, int ldb,
                            const void* beta, void* c, cudaDataType cType, int ldc, cudaDataType compute, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType aType, int lda, long long strideA,
                                          const void* b, cudaDataType bType, int ldb, long long strideB, const void* beta,
                                          void* c, cudaDataType cType, int ldc, long long strideC, int batch,
                                          cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const float* alpha,
                             const void* a, cudaDataType aType, int lda, const void* b, cudaDataType bType, int ldb,
                             const float* beta, void* c, cudaDataType cType, int ldc);
