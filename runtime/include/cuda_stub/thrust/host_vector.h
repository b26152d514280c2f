// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include <vector>

#include "device_ptr.h"

namespace thrust {

template <class T, class Allocator = std::allocator<T>> class device_vector;

template <class T, class Allocator = std::allocator<T>> class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() = default;
  host_vector(const host_vector&) = default;
  host_vector(const std::vector<T>& other) : std::vector<T>(other) {}
  host_vector(device_ptr<T> first, device_ptr<T> last) : std::vector<T>(last - first) { fetchFrom(first.get()); }
  host_vector(device_ptr<const T> first, device_ptr<const T> last) : std::vector<T>(last - first) { fetchFrom(first.get()); }
  template <class U> host_vector(const device_vector<U>& other) { *this = other; }
  host_vector& operator=(const host_vector&) = default;
  host_vector& operator=(const std::vector<T>& other) {
    std::vector<T>::operator=(other);
    return *this;
  }
  host_vector& operator=(const device_vector<T>& other) {
    this->resize(other.size());
    fetchFrom(raw_pointer_cast(other.data()));
    return *this;
  }

 private:
  void fetchFrom(const T* at) {
    if (!this->empty()) cudaMemcpy(this->data(), at, this->size() * sizeof(T), cudaMemcpyDefault);
  }
};

}  // namespace thrust
