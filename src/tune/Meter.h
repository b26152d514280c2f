// What gives variants of one kernel a time for one case: a device behind a worker, or the embedded one with its model.
#pragma once

#include "tune/Variant.h"
#include "worker/Protocol.h"

namespace hone::tune {

struct Measurement {
  std::string recipe;
  worker::Result result;
  double predicted = 0;  // microseconds by the model, 0: none
  bool isKnown = false;  // it was in the store
  bool isOk() const { return result.status == worker::Status::Ok; }
};

class Meter {
 public:
  virtual ~Meter() = default;

  virtual const Measurement& original() const = 0;
  virtual const worker::DeviceInfo& device() const = 0;
  // Never throws for what the variant does: its status says it.
  virtual Measurement measure(const Variant& variant) = 0;
};

}  // namespace hone::tune
