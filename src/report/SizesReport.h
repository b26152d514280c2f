// What `hone tune --sizes` measured and decided for a kernel, for the terminal.
#pragma once

#include <string>
#include <vector>

#include "worker/Protocol.h"

namespace hone::report {

struct SizeRow {
  std::string sizes;       // "h=1024, w=1024"
  double original = 0;     // microseconds
  double spread = 0;       // of the original, as a part of it
  double chosen = 0;       // of the class that the size falls into
  double best = 0;         // of all that was measured there
  std::string className;   // "small"; "the original"
  std::string bestRecipe;  // empty: the original
  size_t variant = 0;      // of the class, among those that were measured; 0: the original
};

struct SizesReport {
  std::string kernel, place;  // "mm", "mm.cu:11"
  worker::DeviceInfo device;
  size_t variants = 0;  // measured at every size
  size_t known = 0;     // measurements that the store knew
  std::vector<SizeRow> rows;
  std::vector<std::string> classes;   // "small, m <= 1448: block(x=32)"
  std::vector<std::string> rejected;  // recipes that were fast and wrong at other sizes
  std::string reason;                 // why the kernel stays as it is; empty: it does not
  std::string checked;                // what the embedded device has run of the dispatch
};

std::string toText(const SizesReport& report);

}  // namespace hone::report
