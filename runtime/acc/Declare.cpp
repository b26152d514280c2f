// Variables of file scope that declare directives give a copy on the device.
#include <cstring>

#include "Data.h"

namespace hone::acc {

namespace {

struct Declared {
  std::string name;
  char* host = nullptr;
  size_t bytes = 0;
  int kind = 0;
  const void* symbol = nullptr;
  std::vector<char> first;  // contents when the program started, of what is copied in
};

std::vector<Declared>& declaredVariables() {
  static auto* const list = new std::vector<Declared>;
  return *list;
}

const char* const siteOfDeclare = "declare";

char* addressOf(const char* site, const Declared& d) {
  void* address = nullptr;
  check(site, cudaGetSymbolAddress(&address, d.symbol), ("finding the device's `" + d.name + "`").c_str());
  return static_cast<char*>(address);
}

}  // namespace

void bringDeclared(const char* site, Device& device) {
  const std::vector<Declared>& all = declaredVariables();
  for (; device.declared < all.size(); ++device.declared) {
    const Declared& d = all[device.declared];
    if (d.kind == hone_acc_link) continue;
    char* const address = addressOf(site, d);
    if (const Entry* known = device.table.containing(d.host)) {
      if (known->device != address)
        fail(siteOfDeclare,
             "`" + d.name + "` has two copies on the device, of two files; one of them has to define it");
      continue;
    }
    Entry entry;
    entry.host = d.host;
    entry.bytes = d.bytes;
    entry.device = address;
    entry.name = d.name;
    entry.site = siteOfDeclare;
    entry.structured = 1;
    entry.isDeclared = true;
    device.table.add(std::move(entry));
    if (!d.first.empty())
      check(site, cudaMemcpy(address, d.first.data(), d.bytes, cudaMemcpyHostToDevice),
            ("copying `" + d.name + "` to the device").c_str());
  }
}

void tellLinks(const Where& place, const Entry& entry, bool isThere) {
  for (const Declared& d : declaredVariables()) {
    if (d.kind != hone_acc_link || d.host < entry.host || d.host >= entry.host + entry.bytes) continue;
    char* const copy = isThere ? entry.device + (d.host - entry.host) : nullptr;
    check(place.site, cudaMemcpy(addressOf(place.site, d), &copy, sizeof copy, cudaMemcpyHostToDevice),
          ("linking `" + d.name + "`").c_str());
  }
}

}  // namespace hone::acc

void hone_acc_declare(const char* name, void* host, unsigned long bytes, int kind,
                      const void* device_symbol) {
  using namespace hone::acc;
  const Lock lock(mutex());
  Declared d;
  d.name = name;
  d.host = static_cast<char*>(host);
  d.bytes = bytes;
  d.kind = kind & 31;
  d.symbol = device_symbol;
  // A program may have changed it by the time it first uses the device.
  if (d.kind == hone_acc_copyin || d.kind == hone_acc_copy) d.first.assign(d.host, d.host + bytes);
  declaredVariables().push_back(std::move(d));
}
