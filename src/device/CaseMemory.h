// The memory of one run of a case: a fresh device with the case's arrays on it.
#pragma once

#include "device/CaseData.h"

namespace hone::device {

class CaseMemory {
 public:
  CaseMemory(const Case& ofCase, const CaseData& withData) : c(ofCase), data(withData) {}

  void allocate();  // arrays of the data's lengths, with their initial contents
  // Arrays without an end where the length is not given. Data are made as they are touched.
  void allocateElastic();

  PlanResult run(const ir::Plan& plan, Programs& programs, const sim::RunOptions& options,
                 const LaunchHooks& hooks = {});

  uint64_t touched(const ArrayData& array) const;               // elements of an array without an end
  bool touchedBelow(const ArrayData& array) const;              // before its first element
  std::vector<uint8_t> contents(const ArrayData& array) const;  // empty where no kernel changed it
  std::vector<uint8_t> setBits(const ArrayData& array) const;
  void endChecks();                      // nothing runs any more: what checks keep of each array is given up
  void release(const ArrayData& array);  // the same for an array that nobody asks for again

 private:
  void allocateFixed(const ArrayData& array);
  void setGlobals(const sim::Program& program);

  const Case& c;
  const CaseData& data;
  sim::Device device;
  std::map<std::string, uint64_t> addresses;
};

}  // namespace hone::device
