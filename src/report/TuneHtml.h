// What `hone tune` did as one page of HTML that needs nothing from elsewhere: what was changed, why and what
// it brought, then the evidence.
#pragma once

#include <functional>

#include "report/TuneReport.h"

namespace hone::report {

struct TunedKernel {
  TuneReport about;
  std::string before, after;  // source; after is empty where the kernel stays as it is
  unsigned firstLine = 1;     // of `before` in its file
  std::string placed;         // "beside the original; 1 of 1 launches now calls mm_launch"
};

struct TunePage {
  std::vector<TunedKernel> kernels;
  std::function<std::string(const ir::SourceLoc&)> placeOf;  // "mm.cu:14"
  std::string command, date;                                 // may be empty
};

std::string toHtml(const TunePage& page);

inline double timeOf(const tune::Measurement& one) { return one.result.timing.median; }

// Parts of it, in TuneHtmlEvidence.cpp.
std::string searchSection(const TunedKernel& kernel);
std::string variantTable(const TunedKernel& kernel);
std::string countersSection(const TunedKernel& kernel);
std::string rooflineSection(const TunedKernel& kernel);
std::string sizesSection(const TunedKernel& kernel);
std::string sourceSection(const TunedKernel& kernel);  // in SourceHtml.cpp

// Figures for people: "12.3 µs", "8.3 times".
std::string timeText(double microseconds);
std::string factorText(double factor);

}  // namespace hone::report
