// A folder with the variants of kernels that any machine with a GPU can work through unattended, and what
// came back from it.
#pragma once

#include "tune/MeasureJob.h"
#include "tune/Store.h"
#include "tune/Variant.h"

namespace hone::tune {

// What the jobs alone do not say.
struct BundledVariant {
  std::string id, caseId, kernel, recipe, sizes;
  double predicted = 0;  // microseconds
};

// The name of a case in a bundle that has so many of the same arrays before it: sizes may differ and arrays
// not, as with 4 x 9 and 9 x 4.
std::string bundleCase(const std::string& key, size_t before);

class BundleWriter {
 public:
  // The folder is made; it must not hold anything yet. Throws hone::Error.
  explicit BundleWriter(const std::string& folder);

  // A case with its original; variants of it may follow.
  void addCase(const worker::CaseSpec& spec, const std::string& kernel, const std::string& sizes,
               const ir::PlanPtr& original, const ir::Module& module, const device::Case& c,
               const device::CaseData& data, bool isExact);
  // False: the variant cannot be printed, or the original would run in its place; or an equal one is there
  // already.
  bool add(const Variant& variant);
  // Writes the files. Nothing is left in the folder when that fails.
  void write();
  size_t size() const { return described.size(); }

 private:
  std::string folder;
  std::vector<std::string> jobs, described;  // lines
  std::map<std::string, size_t> cases;       // by the key of their arrays: how many
  std::set<std::string> ids;                 // of the current case
  // The current case:
  std::string caseId, kernel, sizes;
  const ir::Module* module = nullptr;
  const device::Case* c = nullptr;
  const device::CaseData* data = nullptr;
  bool isExact = false;
};

// Results of a bundle by variant.
struct BundleResults {
  struct One {
    BundledVariant variant;
    worker::Result result;
  };
  std::vector<One> all;
  std::map<std::string, worker::DeviceInfo> devices;  // by case
  worker::Ceilings ceilings;                          // of the bundle's device; zeros: not measured
};
// Throws hone::Error for a folder that is no bundle or has no results yet.
BundleResults readBundle(const std::string& folder);
// Keeps them in a store.
void ingest(const BundleResults& results, Store& store);

}  // namespace hone::tune
