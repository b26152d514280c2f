// Copies between host and device, and of chosen elements.
#pragma once
#pragma GCC system_header
#include <vector>

#include "../device_ptr.h"
#include "default_policy.h"
#include "transforms.h"

namespace thrust {

namespace detail {
template <class In, class Map, class Out> struct write_gathered {
  In in;
  Map map;
  Out out;
  __hone_both void operator()(long long i) { out[i] = in[map[i]]; }
};
template <class In, class Map, class Out> struct write_scattered {
  In in;
  Map map;
  Out out;
  __hone_both void operator()(long long i) { out[map[i]] = in[i]; }
};
template <class In, class Map, class Stencil, class Out, class P> struct write_scattered_if {
  In in;
  Map map;
  Stencil stencil;
  Out out;
  P p;
  __hone_both void operator()(long long i) {
    if (p(stencil[i])) out[map[i]] = in[i];
  }
};
template <class Stencil, class P> struct where_holds {
  Stencil stencil;
  P p;
  __hone_both bool operator()(long long i) { return p(stencil[i]); }
};

template <bool fromDevice, bool toDevice> struct copy_between;  // both: with the device's policy; neither: in order
template <bool both> struct copy_within {
  template <class In, class Out> static void copy(In in, long long n, Out out) {
    hone_parallel::each(typename std::conditional<both, device_policy, order_policy>::type().system, n,
                        hone_parallel::CopyElement<In, Out>{in, out});
  }
};
template <> struct copy_between<true, true> : copy_within<true> {};
template <> struct copy_between<false, false> : copy_within<false> {};
template <> struct copy_between<true, false> {
  template <class In, class Out> static void copy(In in, long long n, Out out) {
    typedef iterator_value_t<In> V;
    hone_parallel::Scratch<V> there(n);
    copy_within<true>::copy(in, n, there.data);
    copy(device_ptr<const V>(there.data), n, out);
  }
  template <class V, class Out> static void copy(device_ptr<V> in, long long n, Out out) {
    typedef typename std::remove_cv<V>::type T;
    T* here = static_cast<T*>(malloc(n ? n * sizeof(T) : 1));
    cudaMemcpy(here, in.get(), n * sizeof(T), cudaMemcpyDefault);
    for (long long i = 0; i < n; ++i) out[i] = here[i];
    free(here);
  }
};
template <> struct copy_between<false, true> {
  template <class In, class Out> static void copy(In in, long long n, Out out) {
    typedef iterator_value_t<In> V;
    hone_parallel::Scratch<V> there(n);
    copy(in, n, device_ptr<V>(there.data));
    copy_within<true>::copy(there.data, n, out);
  }
  template <class In, class V> static void copy(In in, long long n, device_ptr<V> out) {
    std::vector<V> here(n);
    for (long long i = 0; i < n; ++i) here[i] = static_cast<V>(in[i]);
    cudaMemcpy(out.get(), here.data(), n * sizeof(V), cudaMemcpyDefault);
  }
  template <class In> static void copy(In in, long long n, device_ptr<bool> out) {  // whose vector has no data()
    for (long long i = 0; i < n; ++i) out[i] = in[i];
  }
};
}  // namespace detail

template <class S, class In, class Out>
__hone_both Out copy(const execution_policy<S>& p, In first, In last, Out out) {
  hone_parallel::each(p.system, last - first, hone_parallel::CopyElement<In, Out>{first, out});
  return out + (last - first);
}
template <class In, class Out, class = typename std::enable_if<!detail::is_policy<In>::value>::type>
Out copy(In first, In last, Out out) {
  if (last - first > 0)
    detail::copy_between<detail::is_of_device<In>::value, detail::is_of_device<Out>::value>::copy(first, last - first, out);
  return out + (last - first);
}
template <class S, class In, class N, class Out>
__hone_both Out copy_n(const execution_policy<S>& p, In first, N n, Out out) {
  return thrust::copy(p, first, first + n, out);
}
template <class In, class N, class Out, class = typename std::enable_if<!detail::is_policy<In>::value>::type>
Out copy_n(In first, N n, Out out) {
  return thrust::copy(first, first + n, out);
}
template <class S, class In, class Stencil, class Out, class P>
__hone_both Out copy_if(const execution_policy<S>& p, In first, In last, Stencil stencil, Out out, P where) {
  return out + hone_parallel::select(p.system, last - first, detail::where_holds<Stencil, P>{stencil, where}, first, out);
}
template <class S, class In, class Out, class P>
__hone_both Out copy_if(const execution_policy<S>& p, In first, In last, Out out, P where) {
  return thrust::copy_if(p, first, last, first, out, where);
}
template <class S, class Map, class In, class Out>
__hone_both Out gather(const execution_policy<S>& p, Map first, Map last, In in, Out out) {
  hone_parallel::each(p.system, last - first, detail::write_gathered<In, Map, Out>{in, first, out});
  return out + (last - first);
}
template <class S, class In, class Map, class Out>
__hone_both void scatter(const execution_policy<S>& p, In first, In last, Map map, Out out) {
  hone_parallel::each(p.system, last - first, detail::write_scattered<In, Map, Out>{first, map, out});
}
template <class S, class In, class Map, class Stencil, class Out, class P>
__hone_both void scatter_if(const execution_policy<S>& p, In first, In last, Map map, Stencil stencil, Out out, P where) {
  hone_parallel::each(p.system, last - first,
                      detail::write_scattered_if<In, Map, Stencil, Out, P>{first, map, stencil, out, where});
}
template <class S, class In, class Map, class Stencil, class Out>
__hone_both void scatter_if(const execution_policy<S>& p, In first, In last, Map map, Stencil stencil, Out out) {
  thrust::scatter_if(p, first, last, map, stencil, out, thrust::identity<>());
}

__hone_default_policy(copy_if)
__hone_default_policy(gather)
__hone_default_policy(scatter)
__hone_default_policy(scatter_if)

}  // namespace thrust
