// A library loaded at run time, so that one program works where it is and where it is not.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace hone::worker {

class SharedLibrary {
 public:
  // Takes the first of the names that can be loaded.
  explicit SharedLibrary(std::initializer_list<const char*> names) {
    for (const char* name : names)
      if ((handle = dlopen(name, RTLD_NOW | RTLD_LOCAL))) return;
    if (const char* why = dlerror()) reason = why;
  }
  explicit operator bool() const { return handle != nullptr; }
  const std::string& whyNot() const { return reason; }

  template <class F> void get(F*& function, const char* name) const {
    function = reinterpret_cast<F*>(dlsym(handle, name));
    if (!function) throw std::runtime_error(std::string("the driver has no function ") + name);
  }
  template <class F> bool tryGet(F*& function, const char* name) const {
    return (function = reinterpret_cast<F*>(dlsym(handle, name))) != nullptr;
  }

 private:
  void* handle = nullptr;
  std::string reason;
};

}  // namespace hone::worker
