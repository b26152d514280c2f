// Calls of runtime/acc as text of the host, in C (from C89 on) or C++, without warnings.
#pragma once

#include <string>
#include <vector>

#include "acc/HostText.h"

namespace hone::acc {

class HostCalls {
 public:
  explicit HostCalls(bool isCppFile) : isCpp(isCppFile) {}

  /// Types and functions that the calls need, on one line, without those of single regions.
  std::string prototypes() const;

  /// An expression that is 1 where the region ran on the device.
  std::string region(const frontend::AccRegion& region, const frontend::AccNotes& notes,
                     const std::string& launcher) const;
  /// A condition: the iterations are so few that the kernels are right for them.
  std::string fits(const frontend::AccRegion& region, const frontend::AccNotes& notes,
                   const std::vector<TripLimit>& limits) const;
  /// The numbers of iterations that are handed over, in order.
  static std::vector<std::string> tripTexts(const frontend::AccRegion& region,
                                            const frontend::AccNotes& notes);
  /// A statement before the body of a region that the host runs for the device.
  std::string hostBegin(const frontend::AccRegion& region) const;
  /// Keeps what the region has copies of, for `hone_acc_restore()` behind it.
  std::string keep(const frontend::AccRegion& region) const;
  /// `hone_acc_data_begin` and its like for what a directive says; a statement.
  std::string data(const char* function, const frontend::AccDirective& directive) const;
  /// The call that a directive without data stands for; a statement.
  std::string action(const frontend::AccDirective& directive) const;
  /// The device's address of a use_device variable whose host address is `pointer`.
  std::string use(const frontend::AccDirective& directive, const frontend::AccData& data,
                  const std::string& pointer) const;
  /// Makes a variable of file scope known, with the one that the device has ("": the runtime makes one).
  std::string declare(const frontend::AccData& data, const std::string& deviceVariable) const;

  /// What a string is as a literal.
  static std::string literal(const std::string& text);

 private:
  bool isCpp;

  std::string as(const char* type, const std::string& value) const;
  std::string number(const std::string& value) const { return as("hone_acc_number", value); }
  std::string integer(const std::string& value) const;
  std::string address(const std::string& value) const;
  std::string boolean(const std::optional<frontend::AccValue>& value, const char* otherwise) const;
  std::string queue(const frontend::AccAsync& async) const;
  static std::string waitCount(const frontend::AccWait& wait);
  void addWaits(const frontend::AccWait& wait, std::vector<std::string>& words) const;
  void addItems(const std::vector<frontend::AccData>& data, int more, std::vector<std::string>& words) const;
};

}  // namespace hone::acc
