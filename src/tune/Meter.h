// What gives variants of one kernel a time for one case: a device behind a worker, or the embedded one with
// its model.
#pragma once

#include <functional>

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

  // Several, as many at once as there is room for. `next` gives a variant, which must live until it is done,
  // or null when there is none for now; it is asked again after each that is done. Returns when all are done
  // and there is none.
  using Next = std::function<const Variant*()>;
  using Done = std::function<void(const Variant&, const Measurement&)>;
  virtual void measureAll(const Next& next, const Done& done) {
    while (const Variant* variant = next()) done(*variant, measure(*variant));
  }
  virtual size_t room() const { return 1; }
};

}  // namespace hone::tune
