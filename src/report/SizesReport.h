// What `hone tune --sizes` measured and decided for a kernel, for the terminal.
#pragma once

#include <string>
#include <vector>

#include "tune/PickSizes.h"
#include "worker/Protocol.h"

namespace hone::report {

struct SizesReport {
  std::string kernel, place;  // "mm", "mm.cu:11"
  worker::DeviceInfo device;
  size_t variants = 0;  // measured at every size
  size_t known = 0;     // measurements that the store knew
  std::vector<tune::SizeRow> rows;
  std::vector<std::string> classes;   // "small, m <= 1448: block(x=32)"
  std::vector<std::string> rejected;  // recipes that were fast and wrong at other sizes
  std::string reason;                 // why the kernel stays as it is; empty: it does not
  std::string checked;                // what the embedded device has run of the dispatch
};

std::string toText(const SizesReport& report);

}  // namespace hone::report
