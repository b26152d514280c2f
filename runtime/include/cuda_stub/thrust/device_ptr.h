// Stands in for thrust's header of this name: pointers to memory of the device, which host code follows by copies.
#pragma once
#pragma GCC system_header
#include "detail/iterator_traits.h"
#include "memory.h"

namespace thrust {

template <class T> class device_ptr;

template <class T> class device_reference {
  T* at;

 public:
  typedef typename std::remove_cv<T>::type value_type;
  typedef device_ptr<T> pointer;
  explicit device_reference(T* at) : at(at) {}
  device_reference(const device_reference&) = default;
  operator value_type() const { return hone_parallel::fetch(const_cast<const value_type*>(at)); }
  device_ptr<T> operator&() const { return device_ptr<T>(at); }
  const device_reference& operator=(const value_type& v) const {
    cudaMemcpy(const_cast<value_type*>(at), &v, sizeof v, cudaMemcpyDefault);
    return *this;
  }
  device_reference& operator=(const value_type& v) {
    static_cast<const device_reference&>(*this) = v;
    return *this;
  }
  device_reference& operator=(const device_reference& other) { return *this = value_type(other); }
  template <class U> device_reference& operator=(const device_reference<U>& other) { return *this = value_type(other); }
  device_reference& operator+=(const value_type& v) { return *this = value_type(*this) + v; }
  device_reference& operator-=(const value_type& v) { return *this = value_type(*this) - v; }
  device_reference& operator*=(const value_type& v) { return *this = value_type(*this) * v; }
  device_reference& operator/=(const value_type& v) { return *this = value_type(*this) / v; }
  device_reference& operator++() { return *this += value_type(1); }
  device_reference& operator--() { return *this -= value_type(1); }
};

template <class T> std::ostream& operator<<(std::ostream& out, const device_reference<T>& r) {
  return out << typename device_reference<T>::value_type(r);
}

template <class T> class device_ptr : public detail::steps<device_ptr<T>> {
  T* at;

 public:
  static constexpr bool reachesDevice = true;
  typedef void hasDeviceReference;
  typedef typename std::add_lvalue_reference<T>::type deviceReference;  // of void there is none
  typedef T element_type;
  typedef typename std::remove_cv<T>::type value_type;
  typedef device_reference<T> reference;
  typedef device_ptr<T> pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;

  __hone_both device_ptr() : at(nullptr) {}
  __hone_both device_ptr(std::nullptr_t) : at(nullptr) {}
  __hone_both explicit device_ptr(T* at) : at(at) {}
  template <class U, class = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  __hone_both device_ptr(const device_ptr<U>& other) : at(other.get()) {}
  __hone_both T* get() const { return at; }
  __hone_both explicit operator bool() const { return at != nullptr; }
  __hone_both device_ptr advanced(ptrdiff_t n) const { return device_ptr(at + n); }
  __hone_both ptrdiff_t distance(const device_ptr& from) const { return at - from.at; }
  __device__ deviceReference operator*() const { return *at; }
  __device__ deviceReference operator[](ptrdiff_t n) const { return at[n]; }
  __device__ T* operator->() const { return at; }
#ifdef __CUDA__
  __host__ device_reference<T> operator*() const { return device_reference<T>(at); }
  __host__ device_reference<T> operator[](ptrdiff_t n) const { return device_reference<T>(at + n); }
#endif
};

template <class T> __hone_both void swap(device_ptr<T>& a, device_ptr<T>& b) {
  device_ptr<T> kept = a;
  a = b;
  b = kept;
}
template <class T> __hone_both T* raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <class T> __hone_both device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <class T> __hone_both device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }
template <class T> T& raw_reference_cast(T& r) { return r; }
template <class T> device_ptr<T> device_malloc(size_t n) {
  T* p = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T));
  return device_ptr<T>(p);
}
inline device_ptr<void> device_malloc(size_t bytes) {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  return device_ptr<void>(p);
}
template <class T> void device_free(device_ptr<T> p) { cudaFree(p.get()); }

}  // namespace thrust
