// Handles of cuBLAS, and copies between host and device.
#include "Blas.h"
#include "sim/functions/HalfFloat.h"

namespace hone::cuda::blas {

float load(const __half& x) { return sim::halfFromBits(x.__x); }
void store(__half& to, float x) { to.__x = sim::halfBits(sim::roundToHalf<sim::Rounding::Nearest>(x)); }

Call::Call(cublasHandle_t given, const char* called) : handle(given), name(called) {
  if (!handle) status = CUBLAS_STATUS_NOT_INITIALIZED;
  Runtime::get().synchronizeGuards();
}

bool Call::require(bool holds) {
  if (!holds && ok()) status = CUBLAS_STATUS_INVALID_VALUE;
  return ok();
}

void* Call::bytes(const void* pointer, size_t size, bool writes) {
  Runtime& r = Runtime::get();
  if (size == 0 || !ok()) return nullptr;
  cudaError_t error = cudaSuccess;
  uint8_t* found = nullptr;
  if (r.deviceBuffer(pointer)) {
    found = r.resolve(pointer, size, writes, error, name);
  } else {
    sim::Finding f;
    f.kind = pointer ? sim::FindingKind::WildPointer : sim::FindingKind::NullPointer;
    f.party = callerPlace();
    f.party.writes = writes;
    f.message = std::string(name) +
                (pointer ? " is handed an address that is not the device's" : " is handed a null pointer");
    r.report(std::move(f));
  }
  if (!found) status = CUBLAS_STATUS_EXECUTION_FAILED;
  return found;
}

void* Call::scalarBytes(void* pointer, size_t size, bool writes) {
  if (handle && handle->pointers == CUBLAS_POINTER_MODE_DEVICE) return bytes(pointer, size, writes);
  if (!pointer && ok()) status = CUBLAS_STATUS_INVALID_VALUE;
  if (pointer && ok() && Runtime::get().deviceBuffer(pointer)) {
    cudaError_t error = cudaSuccess;
    return Runtime::get().resolve(pointer, size, writes, error, name);
  }
  return pointer;
}

cublasStatus_t onStreamOf(cublasHandle_t handle, std::function<cublasStatus_t()> work) {
  Runtime& r = Runtime::get();
  if (handle && handle->stream > cudaStreamPerThread && handle->stream->capture) {
    handle->stream->capture->nodes.push_back(
        [work] { return work() == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown; });
    return CUBLAS_STATUS_SUCCESS;
  }
  std::lock_guard lock(r.mutex);
  return r.sticky ? CUBLAS_STATUS_EXECUTION_FAILED : work();
}

}  // namespace hone::cuda::blas

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pointers = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->pointers;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->math = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->math;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, size_t) { return CUBLAS_STATUS_SUCCESS; }

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "unknown";
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

namespace {

cublasStatus_t copied(cudaError_t status) {
  return status == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copyVector(int n, int bytes, const void* x, int incx, void* y, int incy, cudaMemcpyKind kind) {
  if (n < 0 || bytes <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const size_t unit = size_t(bytes);
  return copied(cudaMemcpy2D(y, unit * size_t(incy), x, unit * size_t(incx), unit, size_t(n), kind));
}

cublasStatus_t copyMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                          cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const size_t unit = size_t(bytes);
  return copied(
      cudaMemcpy2D(b, unit * size_t(ldb), a, unit * size_t(lda), unit * size_t(rows), size_t(columns), kind));
}

}  // namespace

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copyVector(n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copyVector(n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t) {
  return copyVector(n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t) {
  return copyVector(n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return copyMatrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return copyMatrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t) {
  return copyMatrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t) {
  return copyMatrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}
