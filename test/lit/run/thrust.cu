// thrust on the host, with vectors, iterators and algorithms; and in a thread of the device.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK-NOT: finding
// CHECK: sum 499500
// CHECK-NEXT: set 5000, max 5000 at 3, min at 0
// CHECK-NEXT: scan 3 504497, exclusive 0 1
// CHECK-NEXT: descending 504497 0
// CHECK-NEXT: stable 0 differ, pairs 0 differ
// CHECK-NEXT: transform 7 3
// CHECK-NEXT: left 500, even 10, found 7
// CHECK-NEXT: raw pointers 200
// CHECK-NEXT: by key 3: 3 12 6, scanned 1 3 3 7 12 6
// CHECK-NEXT: unique 3, bounds 2 5
// CHECK-NEXT: copied 3: 1 3 6, swapped 7
// CHECK-NEXT: gathered 7 1 2, partitioned 2
// CHECK-NEXT: lazily 30, product 14
// CHECK-NEXT: on the host 1 4
// CHECK-NEXT: in a thread 1 2 3 4
// CHECK-NEXT: complex -5 10
// CHECK-NEXT: shuffled 45 in another order
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <cstdio>

struct Saxpy {
  float a;
  __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct AddThird {
  template <class T> __device__ void operator()(T t) const { thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t); }
};
struct ByLastDigit {
  __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
struct IsOdd {
  __device__ bool operator()(int x) const { return x % 2; }
};
struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
__global__ void sortInThread(int* x) { thrust::sort(thrust::seq, x, x + 4); }
__global__ void multiply(thrust::complex<float>* z) { z[0] = z[0] * z[1]; }

int main() {
  thrust::device_vector<int> v(1000);
  thrust::sequence(v.begin(), v.end());
  printf("sum %d\n", thrust::reduce(v.begin(), v.end()));
  v[3] = 5000;
  auto most = thrust::max_element(v.begin(), v.end());
  printf("set %d, max %d at %d, min at %d\n", (int)v[3], (int)*most, (int)(most - v.begin()),
         (int)(thrust::min_element(v.begin(), v.end()) - v.begin()));
  thrust::device_vector<int> before(1000);
  thrust::exclusive_scan(v.begin(), v.end(), before.begin());
  thrust::inclusive_scan(v.begin(), v.end(), v.begin());
  thrust::host_vector<int> h = v;
  printf("scan %d %d, exclusive %d %d\n", h[2], h[999], (int)before[0], (int)before[2]);
  thrust::sort(v.begin(), v.end(), thrust::greater<int>());
  printf("descending %d %d\n", (int)v[0], (int)v[999]);
  thrust::sequence(v.begin(), v.end());
  thrust::device_vector<float> values(1000);
  thrust::sequence(values.begin(), values.end(), 0.5f);
  thrust::stable_sort_by_key(v.begin(), v.end(), values.begin(), ByLastDigit());
  h = v;
  thrust::host_vector<float> hv = values;
  int bad = 0, badValues = 0;
  for (int i = 0; i < 1000; ++i) {
    bad += i && (h[i] % 10 < h[i - 1] % 10 || (h[i] % 10 == h[i - 1] % 10 && h[i] < h[i - 1]));
    badValues += hv[i] != h[i] + 0.5f;
  }
  printf("stable %d differ, pairs %d differ\n", bad, badValues);
  thrust::device_vector<float> a(100, 2.0f), b(100, 1.0f), c(100);
  thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), Saxpy{3.0f});
  float first = c[7];
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())), AddThird());
  printf("transform %g %g\n", first, (float)c[9]);
  thrust::sequence(v.begin(), v.end());
  auto found = thrust::find(v.begin(), v.end(), 7);
  int odd = thrust::count_if(v.begin(), v.begin() + 20, IsOdd());
  auto end = thrust::remove_if(v.begin(), v.end(), IsOdd());
  printf("left %d, even %d, found %d\n", (int)(end - v.begin()), 20 - odd, (int)(found - v.begin()));
  float* raw = thrust::raw_pointer_cast(a.data());
  printf("raw pointers %g\n", thrust::reduce(thrust::device, raw, raw + 100, 0.0f, thrust::plus<float>()));
  int keys[6] = {1, 1, 2, 2, 2, 7}, numbers[6] = {1, 2, 3, 4, 5, 6};
  thrust::device_vector<int> k(keys, keys + 6), w(numbers, numbers + 6), ko(6), wo(6), so(6);
  auto ends = thrust::reduce_by_key(k.begin(), k.end(), w.begin(), ko.begin(), wo.begin());
  thrust::inclusive_scan_by_key(k.begin(), k.end(), w.begin(), so.begin());
  printf("by key %d: %d %d %d, scanned", (int)(ends.first - ko.begin()), (int)wo[0], (int)wo[1], (int)wo[2]);
  for (int i = 0; i < 6; ++i) printf(" %d", (int)so[i]);
  thrust::device_vector<int> sought(1, 2), low(1), high(1);
  thrust::lower_bound(k.begin(), k.end(), sought.begin(), sought.end(), low.begin());
  thrust::upper_bound(k.begin(), k.end(), sought.begin(), sought.end(), high.begin());
  thrust::device_vector<int> u = k;
  printf("\nunique %d, bounds %d %d\n", (int)(thrust::unique(u.begin(), u.end()) - u.begin()), (int)low[0], (int)high[0]);
  auto copied = thrust::unique_by_key_copy(k.begin(), k.end(), w.begin(), ko.begin(), wo.begin());
  printf("copied %d: %d %d %d, ", (int)(copied.first - ko.begin()), (int)wo[0], (int)wo[1], (int)wo[2]);
  auto one = ko.begin(), other = ko.begin() + 2;
  swap(one, other);
  printf("swapped %d\n", (int)*one);
  thrust::device_vector<int> map(3), picked(3);
  map[0] = 5, map[1] = 0, map[2] = 3;
  thrust::gather(map.begin(), map.end(), k.begin(), picked.begin());
  printf("gathered %d %d %d, ", (int)picked[0], (int)picked[1], (int)picked[2]);
  printf("partitioned %d\n", (int)(thrust::partition(picked.begin(), picked.end(), IsOdd()) - picked.begin()));
  auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Square());
  int lazily = thrust::reduce(thrust::device, squares, squares + 4);
  thrust::device_vector<int> x(numbers, numbers + 3);
  printf("lazily %d, product %d\n", lazily, thrust::inner_product(x.begin(), x.end(), x.begin(), 0));
  int host[4] = {4, 2, 3, 1};
  thrust::device_vector<int> four(host, host + 4);
  thrust::sort(host, host + 4);
  printf("on the host %d %d\n", host[0], host[3]);
  sortInThread<<<1, 1>>>(thrust::raw_pointer_cast(four.data()));
  printf("in a thread %d %d %d %d\n", (int)four[0], (int)four[1], (int)four[2], (int)four[3]);
  thrust::device_vector<thrust::complex<float>> z(2);
  z[0] = thrust::complex<float>(1, 2);
  z[1] = thrust::complex<float>(3, 4);
  multiply<<<1, 1>>>(thrust::raw_pointer_cast(z.data()));
  thrust::complex<float> product = z[0];
  printf("complex %g %g\n", product.real(), product.imag());
  thrust::device_vector<int> ten(10);
  thrust::sequence(ten.begin(), ten.end());
  thrust::device_vector<int> same = ten;
  thrust::shuffle(ten.begin(), ten.end(), thrust::default_random_engine(3));
  printf("shuffled %d %s\n", thrust::reduce(ten.begin(), ten.end()), ten == same ? "in the same order" : "in another order");
}
