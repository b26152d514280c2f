// Class templates, member templates, default template arguments, partial specialisation, type traits by hand, if constexpr.
template <typename T, int N = 4>
struct Vec {
  T v[N];
  __device__ T& operator[](int i) { return v[i]; }
  __device__ const T& operator[](int i) const { return v[i]; }
  __device__ T sum() const {
    T s = 0;
    for (int i = 0; i < N; ++i) s += v[i];
    return s;
  }
  template <typename U>
  __device__ void scale(U f) {
    for (int i = 0; i < N; ++i) v[i] = static_cast<T>(v[i] * f);
  }
};

template <bool COND, class A, class B>
struct Choose {
  using type = A;
};
template <class A, class B>
struct Choose<false, A, B> {
  using type = B;
};

template <typename T, bool WIDE>
__global__ void sums(Vec<T>* vs, typename Choose<WIDE, double, float>::type* out, int n) {
  using Acc = typename Choose<WIDE, double, float>::type;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec<T>& v = vs[i];
  if constexpr (WIDE) v.scale(2.0);
  else v.scale(3);
  v[0] += v[3];
  Acc a = v.sum();
  out[i] = a;
}

template __global__ void sums<int, true>(Vec<int>*, double*, int);
template __global__ void sums<float, false>(Vec<float>*, float*, int);
