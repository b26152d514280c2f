// Attached pointers: objects on the device point to the device's data, copies in either direction leave the pointers alone, counts per
// pointer, arrays of pointers with their rows.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
#include "calls.h"

struct Vector {
  long n;
  double* data;
  double* other;
};

__global__ void addVector(Vector* v) {
  for (long k = threadIdx.x; k < v->n; k += blockDim.x) v->data[k] += v->other ? v->other[k] : 1;
  if (threadIdx.x == 0) v->n += 0;
}
extern "C" void launchVector(hone_acc_call* call) {
  addVector<<<1, 32>>>((Vector*)call->items[0].device);
  hone_acc_launched(call, cudaGetLastError());
}
int runVector(const char* site, Vector* v) {
  return hone_acc_region(site, launchVector, 1, 0, hone_acc_sync, -1, 0, 0, 1, hone_acc_present, "v", v,
                         (unsigned long)sizeof *v, nullptr);
}

__global__ void addRows(double** rows, long from, long to, long m) {
  for (long k = from + threadIdx.x; k < to; k += blockDim.x)
    for (long j = 0; j < m; ++j) rows[k][j] += 1;
}
extern "C" void launchRows(hone_acc_call* call) {
  auto** rows = (double**)hone_acc_moved(call, 0, *(double***)call->vars[0]);
  addRows<<<1, 32>>>(rows, call->values[0], call->values[1], call->values[2]);
  hone_acc_launched(call, cudaGetLastError());
}
__global__ void addDeep(double*** cube, long n, long m, long l) {
  for (long k = threadIdx.x; k < n * m * l; k += blockDim.x) cube[k / (m * l)][k / l % m][k % l] += 1;
}
extern "C" void launchDeep(hone_acc_call* call) {
  addDeep<<<1, 32>>>((double***)call->items[0].device, 2, 3, 4);
  hone_acc_launched(call, cudaGetLastError());
}

int main() {
  double data[4] = {1, 2, 3, 4}, other[4] = {10, 20, 30, 40};
  Vector v = {4, data, nullptr};

  // The object first, what it points to in the same directive, in either order.
  hone_acc_enter_data("t.cu:1: enter data", 1, hone_acc_sync, -1, 2, hone_acc_copyin, "v.data[0:n]", data,
                      sizeof data, &v.data, hone_acc_copyin, "v", &v, sizeof v, nullptr);
  runVector("t.cu:2: region", &v);
  // The whole object comes back and goes again: pointers stay what they are on both sides.
  update("t.cu:3: update", hone_acc_update_self, "v", &v, sizeof v);
  // CHECK: kept 1
  printf("kept %d\n", v.data == data);
  update("t.cu:4: update", hone_acc_update_device, "v", &v, sizeof v);
  runVector("t.cu:5: region", &v);
  update("t.cu:6: update", hone_acc_update_self, "v.data[0:n]", data, sizeof data);
  // CHECK: data 3 6
  printf("data %g %g\n", data[0], data[3]);

  // A second attach of the same pointer counts; the pointer changes sides at zero only.
  acc_attach(&v.data);
  acc_detach(&v.data);
  runVector("t.cu:7: region", &v);
  // A section of it: the pointer on the device is where the host's would be.
  v.other = other - 1;
  other[0] = 100;
  enter("t.cu:8: enter data", hone_acc_copyin, "v.other[1:4]", v.other + 1, sizeof other, &v.other);
  acc_update_self(&v.n, sizeof v.n);
  hone_acc_data_begin("t.cu:9: data", 1, hone_acc_sync, -1, 1, hone_acc_attach, "v.data", nullptr, 0ul, &v.data);
  hone_acc_data_end("t.cu:9: data");
  leave("t.cu:10: exit data", hone_acc_copyout, "v.other[1:4]", v.other + 1, sizeof other, &v.other);
  v.other = nullptr;
  acc_attach(&v.other);  // a null pointer is null on the device too
  runVector("t.cu:11: region", &v);
  leave("t.cu:12: exit data", hone_acc_copyout, "v.data[0:n]", data, sizeof data, &v.data);
  leave("t.cu:13: exit data", hone_acc_copyout, "v", &v, sizeof v);
  // CHECK: end 5 8 kept 1
  printf("end %g %g kept %d\n", data[0], data[3], v.data == data);

  // Pointers that were attached are the host's again once detached.
  enter("t.cu:14: enter data", hone_acc_copyin, "v", &v, sizeof v);
  enter("t.cu:15: enter data", hone_acc_copyin, "v.data", data, sizeof data, &v.data);
  acc_attach(&v.data);
  Vector* onDevice = (Vector*)acc_deviceptr(&v);
  double *first, *second, *third;
  acc_memcpy_from_device(&first, &onDevice->data, sizeof first);
  acc_detach(&v.data);
  acc_memcpy_from_device(&second, &onDevice->data, sizeof first);
  acc_attach(&v.data);
  acc_detach_finalize(&v.data);
  acc_memcpy_from_device(&third, &onDevice->data, sizeof first);
  // CHECK: device 1 still 1 host 1
  printf("device %d still %d host %d\n", first == acc_deviceptr(data), second == first, third == data);
  // A region's attach is not undone by exit data of what has no dynamic lifetime; a pointer that points elsewhere is attached anew.
  double more[4];
  acc_create(more, sizeof more);
  v.other = other;
  hone_acc_data_begin("t.cu:15: data", 1, hone_acc_sync, -1, 2, hone_acc_present, "v.data", data, sizeof data, &v.data,
                      hone_acc_create, "other", other, sizeof other, &v.other);
  leave("t.cu:15: exit data", hone_acc_delete, "other", other, sizeof other, &v.other);
  acc_memcpy_from_device(&first, &onDevice->other, sizeof first);
  v.data = more;
  acc_attach(&v.data);
  acc_memcpy_from_device(&second, &onDevice->data, sizeof first);
  v.data = data;
  acc_detach(&v.data);
  acc_memcpy_from_device(&third, &onDevice->data, sizeof first);
  // CHECK: other 1 anew 1 host 1
  printf("other %d anew %d host %d\n", first != nullptr && first != other, second == acc_deviceptr(more),
         third == data);
  hone_acc_data_end("t.cu:15: data");
  acc_delete(more, sizeof more);
  leave("t.cu:16: exit data", hone_acc_delete, "v.data", data, sizeof data, &v.data);
  leave("t.cu:17: exit data", hone_acc_delete, "v", &v, sizeof v);

  // Rows of an array of pointers, with sections of both levels.
  const long n = 5, m = 6;
  double* rows[n];
  for (double*& r : rows) {
    r = new double[m];
    for (long j = 0; j < m; ++j) r[j] = double(j);
  }
  double** p = rows;
  hone_acc_region("t.cu:18: region", launchRows, 1, 0, hone_acc_sync, -1, 1, 3, 1, &p, 1ll, 4ll, 3ll,
                  hone_acc_copy | hone_acc_rows, "p[1:3][0:3]", p + 1, 3ul * sizeof(double*), nullptr, 1, 0l,
                  3ul * sizeof(double));
  // CHECK: rows 0 1 3 3 | 0 2
  printf("rows %g %g %g %g | %g %g\n", rows[0][0], rows[1][0], rows[3][2], rows[3][3], rows[4][0], rows[2][1]);
  hone_acc_enter_data("t.cu:19: enter data", 1, hone_acc_sync, -1, 1, hone_acc_create | hone_acc_rows, "p[0:5][0:6]", p,
                      sizeof rows, nullptr, 1, 0l, m * sizeof(double));
  for (long k = 0; k < n; ++k)
    hone_acc_update("t.cu:20: update", 1, int(k), -1, 1, hone_acc_update_device | hone_acc_rows, "p[k:1][0:6]", p + k,
                    sizeof(double*), nullptr, 1, 0l, m * sizeof(double));
  hone_acc_wait("t.cu:21: wait", 1, hone_acc_sync, -1, 0);
  hone_acc_region("t.cu:22: region", launchRows, 1, 0, hone_acc_sync, -1, 1, 3, 1, &p, 0ll, 5ll, 6ll,
                  hone_acc_present | hone_acc_rows, "p[0:5][0:6]", p, sizeof rows, nullptr, 1, 0l, m * sizeof(double));
  hone_acc_exit_data("t.cu:23: exit data", 1, hone_acc_sync, -1, 1, hone_acc_copyout | hone_acc_rows, "p[0:5][0:6]", p,
                     sizeof rows, nullptr, 1, 0l, m * sizeof(double));
  // CHECK: rows 1 2 4 4 | 1 3 present 0 0
  printf("rows %g %g %g %g | %g %g present %d %d\n", rows[0][0], rows[1][0], rows[3][2], rows[3][3], rows[4][0],
         rows[2][1], acc_is_present(rows, sizeof rows), acc_is_present(rows[2], 8));

  // Three levels.
  double** planes[2];
  for (double**& plane : planes) {
    plane = new double*[3];
    for (int j = 0; j < 3; ++j) plane[j] = (double*)calloc(4, sizeof(double));
  }
  hone_acc_region("t.cu:24: region", launchDeep, 1, 0, hone_acc_sync, -1, 0, 0, 1, hone_acc_copy | hone_acc_rows,
                  "planes[0:2][0:3][0:4]", planes, sizeof planes, nullptr, 2, 0l, 3ul * sizeof(double*), 0l,
                  4ul * sizeof(double));
  // CHECK: deep 1 1
  printf("deep %g %g\n", planes[0][0][0], planes[1][2][3]);
}
