// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include <initializer_list>
#include <stdexcept>

#include "copy.h"
#include "fill.h"
#include "host_vector.h"

namespace thrust {

template <class T, class Allocator> class device_vector {
  T* elements = nullptr;
  size_t count = 0, room = 0;

 public:
  typedef T value_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;

  device_vector() {}
  explicit device_vector(size_t n) { resize(n); }
  device_vector(size_t n, const T& value) { resize(n, value); }
  template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type> device_vector(It first, It last) {
    assign(first, last);
  }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  device_vector(const device_vector& other) { *this = other; }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <class U> device_vector(const device_vector<U>& other) { assign(other.begin(), other.end()); }
  template <class U, class A> device_vector(const std::vector<U, A>& other) { *this = other; }
  ~device_vector() { cudaFree(elements); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class U, class A> device_vector& operator=(const std::vector<U, A>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type> void assign(It first, It last) {
    makeRoom(last - first, false);
    count = last - first;
    thrust::copy(first, last, begin());
  }
  void assign(size_t n, const T& value) {
    makeRoom(n, false);
    count = n;
    thrust::fill(begin(), end(), value);
  }

  void resize(size_t n) { resize(n, T()); }
  void resize(size_t n, const T& value) {
    makeRoom(n, true);
    if (n > count) thrust::fill(begin() + count, begin() + n, value);
    count = n;
  }
  void reserve(size_t n) { makeRoom(n, true); }
  void shrink_to_fit() {}
  void clear() { count = 0; }
  void push_back(const T& value) {
    if (count == room) makeRoom(count ? 2 * count : 16, true);
    ++count;
    (*this)[count - 1] = value;
  }
  void pop_back() { --count; }
  void swap(device_vector& other) {
    std::swap(elements, other.elements);
    std::swap(count, other.count);
    std::swap(room, other.room);
  }
  iterator erase(iterator first, iterator last) {
    const ptrdiff_t at = first - begin();
    device_vector rest(const_iterator(last), cend());
    thrust::copy(rest.begin(), rest.end(), first);
    count -= last - first;
    return begin() + at;
  }
  iterator erase(iterator at) { return erase(at, at + 1); }
  template <class It> void insert(iterator at, It first, It last) {
    const ptrdiff_t before = at - begin(), more = last - first;
    device_vector rest(const_iterator(at), cend()), added;
    added.assign(first, last);
    resize(count + more);
    thrust::copy(added.begin(), added.end(), begin() + before);
    thrust::copy(rest.begin(), rest.end(), begin() + before + more);
  }

  size_t size() const { return count; }
  size_t capacity() const { return room; }
  bool empty() const { return count == 0; }
  pointer data() { return pointer(elements); }
  const_pointer data() const { return const_pointer(elements); }
  iterator begin() { return iterator(elements); }
  iterator end() { return iterator(elements + count); }
  const_iterator begin() const { return const_iterator(elements); }
  const_iterator end() const { return const_iterator(elements + count); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reference operator[](size_t i) { return reference(elements + i); }
  const_reference operator[](size_t i) const { return const_reference(elements + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[count - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[count - 1]; }
  bool operator==(const device_vector& other) const { return host_vector<T>(*this) == host_vector<T>(other); }
  bool operator!=(const device_vector& other) const { return !(*this == other); }

 private:
  void makeRoom(size_t n, bool keeps) {
    if (n <= room) return;
    T* larger = nullptr;
    if (cudaMalloc(reinterpret_cast<void**>(&larger), n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    if (keeps && count) cudaMemcpy(larger, elements, count * sizeof(T), cudaMemcpyDefault);
    cudaFree(elements);
    elements = larger;
    room = n;
  }
};

template <class T> void swap(device_vector<T>& a, device_vector<T>& b) { a.swap(b); }
template <class T> bool operator==(const device_vector<T>& a, const host_vector<T>& b) { return host_vector<T>(a) == b; }
template <class T> bool operator==(const host_vector<T>& a, const device_vector<T>& b) { return a == host_vector<T>(b); }

}  // namespace thrust
