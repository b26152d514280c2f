// The arrays of a case on a device: what they hold before a run, and several sets of them, so that repeated
// runs do not find their data in the cache.
#pragma once

#include <map>

#include "worker/Device.h"

namespace hone::worker {

class CaseOnDevice {
 public:
  CaseOnDevice(Device& on, CaseSpec what);  // throws LaunchError when the memory does not suffice
  ~CaseOnDevice();
  CaseOnDevice(const CaseOnDevice&) = delete;
  CaseOnDevice& operator=(const CaseOnDevice&) = delete;

  const CaseSpec& spec() const { return ofCase; }
  size_t sets() const { return memory.size(); }
  bool needsRestoring() const;  // some array is written, so that a second run would start from other data

  void restore(size_t set);  // written arrays as they were at the start
  void renewInputs();  // the other arrays, in all sets: for after a variant that wrote where it may only read
  std::span<const uint8_t> contents(size_t set, size_t array);  // until it is asked for again
  const std::vector<uint8_t>& initial(size_t array) const { return pristine[array]; }
  Memory at(size_t set, const std::string& array) const;  // 0 for a name that the case does not have

 private:
  Device& device;
  CaseSpec ofCase;
  std::vector<std::vector<uint8_t>> pristine;  // by array, on the host
  std::vector<Memory> pristineOnDevice;        // of written arrays, else 0
  std::vector<std::vector<Memory>> memory;     // by set, by array
  std::vector<uint8_t> downloaded;             // kept: fresh memory costs more than the copy
};

}  // namespace hone::worker
