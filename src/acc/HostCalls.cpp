#include "acc/HostCalls.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace hone::acc {

using namespace frontend;

namespace {

// The runtime's numbers, runtime/acc/hone_acc.h.
constexpr const char* kSync = "-100";
constexpr const char* kNoValue = "-1";
constexpr const char* kNotGiven = "-1000";
enum ItemFlag {
  zeroFlag = 32,
  readOnlyFlag = 64,
  alwaysInFlag = 128,
  alwaysOutFlag = 256,
  implicitFlag = 512,
  ifPresentFlag = 1024,
  finalizeFlag = 2048,
  captureFlag = 4096,
  rowsFlag = 8192,
  baseFlag = 16384,
  elementFlag = 32768,
  aloneFlag = 65536,
  partFlag = 131072
};

int kindOf(const AccData& data) {
  int kind = int(data.kind);
  const auto add = [&](bool is, int flag) { kind |= is ? flag : 0; };
  add(data.zero, zeroFlag);
  add(data.readOnly, readOnlyFlag);
  add(data.alwaysIn, alwaysInFlag);
  add(data.alwaysOut, alwaysOutFlag);
  add(data.isImplicit, implicitFlag);
  add(data.capture, captureFlag);
  const bool isChecked = data.kind == AccDataKind::Present || data.kind == AccDataKind::Delete;
  add(isChecked && data.bytes == "0", aloneFlag);
  return kind;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

// Whether a cast may stand before it as it is.
bool isPrimary(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

std::string inParentheses(const std::string& text) { return isPrimary(text) ? text : "(" + text + ")"; }

}  // namespace

std::string HostCalls::literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    // No trigraph, and nothing that ends the line.
    if (c == '?' && !out.empty() && out.back() == '?') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

std::string HostCalls::as(const char* type, const std::string& value) const {
  return isCpp ? fmt::format("{}({})", type, value) : fmt::format("({}){}", type, inParentheses(value));
}

std::string HostCalls::integer(const std::string& value) const {
  const bool isPlain = !value.empty() && value.size() < 10 &&
                       std::all_of(
                           value.begin() + (value[0] == '-'), value.end(),
                           [](unsigned char c) { return std::isdigit(c) != 0; });
  return isPlain ? value : isCpp ? fmt::format("int({})", value) : "(int)" + inParentheses(value);
}

std::string HostCalls::address(const std::string& value) const {
  if (value.empty()) return isCpp ? "hone_acc_address()" : "(hone_acc_address)0";
  // `this` has no address of its own.
  if (isCpp && value == "&this") return "hone_acc_address(&static_cast<const volatile void *const &>(this))";
  return as("hone_acc_address", value);
}

std::string HostCalls::boolean(const std::optional<AccValue>& value, const char* otherwise) const {
  return value ? inParentheses(value->text) + " ? 1 : 0" : otherwise;
}

std::string HostCalls::queue(const AccAsync& async) const {
  if (!async.isGiven) return kSync;
  return async.queue ? integer(async.queue->text) : kNoValue;
}

std::string HostCalls::waitCount(const AccWait& wait) {
  return wait.isGiven ? std::to_string(wait.queues.size()) : "-1";
}

void HostCalls::addWaits(const AccWait& wait, std::vector<std::string>& words) const {
  if (!wait.isGiven) return;
  for (const AccValue& one : wait.queues) words.push_back(number(one.text));
}

void HostCalls::addItems(const std::vector<AccData>& data, int more, std::vector<std::string>& words) const {
  for (const AccData& one : data) {
    const bool hasRows = !one.rowAddress.empty(), hasBase = !one.laterThan.empty() && one.attachTo.empty();
    const bool isPart = !one.whole.address.empty(), hasElement = !one.elementBytes.empty();
    words.push_back(std::to_string(kindOf(one) | more | (hasRows ? rowsFlag : 0) | (hasBase ? baseFlag : 0) |
                                   (hasElement ? elementFlag : 0) | (isPart ? partFlag : 0)));
    words.push_back(literal(one.name));
    words.push_back(address(one.address));
    words.push_back(as("hone_acc_size", one.bytes.empty() ? "0" : one.bytes));
    words.push_back(address(one.attachTo));
    // A region that names the pointer alone is to find the section.
    if (hasBase) words.push_back(address(one.laterThan));
    if (hasElement) words.push_back(as("hone_acc_size", one.elementBytes));
    if (isPart) {
      words.push_back(literal(one.whole.name));
      words.push_back(address(one.whole.address));
      words.push_back(as("hone_acc_size", one.whole.bytes));
    }
    if (!hasRows) continue;
    // Levels, and of each how far its part begins behind the pointer to it: bounds do not depend on the row.
    words.push_back("1");
    words.push_back(fmt::format(
        "__extension__ ({{ __typeof__(*({0})) hone_row = 0; (long)((const volatile char *)({1}) - (const "
        "volatile char *)hone_row); }})",
        one.address, one.rowAddress));
    words.push_back(as("hone_acc_size", one.rowBytes));
  }
}

std::string HostCalls::prototypes() const {
  const char* const text =
      "typedef const volatile void *hone_acc_address; typedef void *hone_acc_pointer; typedef unsigned long "
      "hone_acc_size; "
      "__extension__ typedef long long hone_acc_number; struct hone_acc_call; "
      "typedef void (*hone_acc_launcher)(struct hone_acc_call *); "
      "int hone_acc_region(const char *, hone_acc_launcher, int, int, int, int, int, int, int, ...); "
      "void hone_acc_host_begin(const char *, int, int, int, int, int, ...); "
      "void hone_acc_host_end(const char *); "
      "void hone_acc_keep(int, ...); void hone_acc_restore(void); "
      "void hone_acc_data_begin(const char *, int, int, int, int, ...); "
      "void hone_acc_data_end(const char *); "
      "void hone_acc_enter_data(const char *, int, int, int, int, ...); "
      "void hone_acc_exit_data(const char *, int, int, int, int, ...); "
      "void hone_acc_update(const char *, int, int, int, int, ...); "
      "void *hone_acc_use(const char *, int, int, hone_acc_address, const char *); "
      "void hone_acc_wait(const char *, int, int, int, int, ...); "
      "void hone_acc_init(const char *, int, int, int); "
      "void hone_acc_shutdown(const char *, int, int, int); "
      "void hone_acc_set(const char *, int, int, int, int); "
      "void hone_acc_declare(const char *, void *, hone_acc_size, int, const void *); "
      "void hone_acc_data_leave(const char **); ";
  return isCpp ? fmt::format("extern \"C\" {{ {}}} ", text) : text;
}

std::vector<std::string> HostCalls::tripTexts(const AccRegion& region, const AccNotes& notes) {
  std::vector<std::string> out;
  for (const ir::Stmt* loop : loopsOf(region, notes))
    if (const AccLoop& one = notes.loops.at(loop); !one.hostTrips.empty()) {
      out.push_back(one.hostTrips);
      out.insert(out.end(), one.innerTrips.begin(), one.innerTrips.end());
    }
  return out;
}

std::string HostCalls::fits(const AccRegion& region, const AccNotes& notes,
                            const std::vector<TripLimit>& limits) const {
  const std::vector<std::string> trips = tripTexts(region, notes);
  std::set<std::string> parts;
  for (const TripLimit& limit : limits)
    parts.insert(
        fmt::format("{} <= {}", number(trips.at(size_t(limit.trips - HostValues::firstTrips))), limit.most));
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : " && ") + part;
  return out;
}

std::string HostCalls::region(const AccRegion& region, const AccNotes& notes,
                              const std::string& launcher) const {
  std::vector<std::string> words{
      literal(siteOf(region)),
      launcher,
      boolean(region.condition, "1"),
      region.isSelf ? "1" : boolean(region.selfIf, "0"),
      queue(region.async),
      waitCount(region.wait),
      std::to_string(region.captured.size()),
      std::to_string(layoutOf(region, notes).count),
      std::to_string(region.data.size()),
  };
  for (const AccCaptured& one : region.captured)
    words.push_back(address(one.seen == AccSeen::HostTrips || one.seen == AccSeen::Private ? "" : one.host));
  addWaits(region.wait, words);
  const auto value = [&](const std::optional<AccValue>& one) {
    words.push_back(number(one ? one->text : "0"));
  };
  for (const std::optional<AccValue>& one : region.numGangs) value(one);
  value(region.numWorkers);
  value(region.vectorLength);
  for (const std::string& trips : tripTexts(region, notes)) words.push_back(number(trips));
  for (const AccCaptured& one : region.captured)
    if (one.seen == AccSeen::HostTrips) words.push_back(number(one.host));
  addItems(region.data, 0, words);
  return fmt::format("hone_acc_region({})", joined(words));
}

std::string HostCalls::hostBegin(const AccRegion& region) const {
  std::vector<std::string> words{
      literal(siteOf(region)),
      boolean(region.condition, "1"),
      region.isSelf ? "1" : boolean(region.selfIf, "0"),
      queue(region.async),
      waitCount(region.wait),
      std::to_string(region.data.size()),
  };
  addWaits(region.wait, words);
  addItems(region.data, 0, words);
  return fmt::format("hone_acc_host_begin({});", joined(words));
}

std::string HostCalls::keep(const AccRegion& region) const {
  std::vector<std::string> words{std::to_string(region.kept.size())};
  for (const AccKept& one : region.kept) {
    // No address of something constant: it may have no value yet.
    words.push_back(as("hone_acc_pointer", one.address));
    words.push_back(as("hone_acc_size", one.bytes));
  }
  return fmt::format("hone_acc_keep({}); ", joined(words));
}

std::string HostCalls::data(const char* function, const AccDirective& directive) const {
  std::vector<std::string> words{
      literal(siteOf(directive)), boolean(directive.condition, "1"),     queue(directive.async),
      waitCount(directive.wait),  std::to_string(directive.data.size()),
  };
  addWaits(directive.wait, words);
  const int more = (directive.ifPresent ? ifPresentFlag : 0) | (directive.finalize ? finalizeFlag : 0);
  addItems(directive.data, more, words);
  return fmt::format("{}({});", function, joined(words));
}

std::string HostCalls::action(const AccDirective& directive) const {
  const std::string site = literal(siteOf(directive)), condition = boolean(directive.condition, "1");
  const auto given = [&](const std::optional<AccValue>& value) {
    if (!value) return std::string(kNotGiven);
    return integer(value->constant ? std::to_string(*value->constant) : value->text);
  };
  switch (directive.kind) {
    case AccDirectiveKind::Wait: {
      const AccWait& wait = directive.wait;
      std::vector<std::string> words{site, condition, queue(directive.async),
                                     wait.device ? integer(wait.device->text) : "-1",
                                     std::to_string(wait.queues.size())};
      for (const AccValue& one : wait.queues) words.push_back(number(one.text));
      return fmt::format("hone_acc_wait({});", joined(words));
    }
    case AccDirectiveKind::Init:
    case AccDirectiveKind::Shutdown:
      return fmt::format("{}({}, {}, {}, {});",
                         directive.kind == AccDirectiveKind::Init ? "hone_acc_init" : "hone_acc_shutdown",
                         site, condition, given(directive.deviceType), given(directive.deviceNum));
    default:
      return fmt::format("hone_acc_set({}, {}, {}, {}, {});", site, condition, given(directive.deviceType),
                         given(directive.deviceNum), given(directive.defaultAsync));
  }
}

std::string HostCalls::use(const AccDirective& directive, const AccData& data,
                           const std::string& pointer) const {
  const std::string call = fmt::format("hone_acc_use({}, {}, {}, {}, {})", literal(siteOf(directive)),
                                       boolean(directive.condition, "1"), directive.ifPresent ? 1 : 0,
                                       pointer, literal(data.name));
  return isCpp ? fmt::format("static_cast<__typeof__({})>({})", pointer, call)
               : fmt::format("(__typeof__({})){}", pointer, call);
}

std::string HostCalls::declare(const AccData& data, const std::string& deviceVariable) const {
  const std::string host = isCpp ? fmt::format("const_cast<void *>(hone_acc_address({}))", data.address)
                                 : fmt::format("(void *){}", inParentheses(data.address));
  return fmt::format("hone_acc_declare({}, {}, {}, {}, {});", literal(data.name), host,
                     as("hone_acc_size", data.bytes), kindOf(data),
                     deviceVariable.empty() ? (isCpp ? "__null" : "(const void *)0") : deviceVariable);
}

}  // namespace hone::acc
