// Variables of file scope that declare directives give a copy on the device.
#include <cstdlib>
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

// Memory of variables that no device code names, freed with the program so that it is no leak.
std::vector<void*>& roomOfVariables() {
  static auto* const list = new std::vector<void*>;
  return *list;
}

void* makeRoom(const char* site, const Declared& d) {
  void* memory = nullptr;
  check(site, cudaMalloc(&memory, d.bytes), ("making room for `" + d.name + "`").c_str());
  // The device's own end, registered when it was first used, comes behind this.
  if (roomOfVariables().empty())
    std::atexit([] {
      for (void* room : roomOfVariables()) cudaFree(room);
    });
  roomOfVariables().push_back(memory);
  return memory;
}

char* addressOf(const char* site, const Declared& d) {
  void* address = nullptr;
  check(site, cudaGetSymbolAddress(&address, d.symbol), ("finding the device's `" + d.name + "`").c_str());
  return static_cast<char*>(address);
}

}  // namespace

namespace {

// The entry of a variable whose copy lies at `address`; null where the table has it already.
Entry* addDeclared(Device& device, const Declared& d, char* address) {
  if (const Entry* known = device.table.containing(d.host)) {
    if (d.symbol && known->device != address)
      fail(siteOfDeclare,
           "`" + d.name + "` has two copies on the device, of two files; one of them has to define it");
    return nullptr;
  }
  Entry entry;
  entry.host = d.host;
  entry.bytes = d.bytes;
  entry.device = address;
  entry.name = d.name;
  entry.site = siteOfDeclare;
  entry.structured = 1;
  entry.isDeclared = true;
  return &device.table.add(std::move(entry));
}

// The device tells variables apart by their names, as linkers do; libraries may have one of the same name
// each.
void refuseTwins(const char* site, const std::vector<Declared>& all, size_t k) {
  if (!all[k].symbol) return;
  for (size_t i = 0; i < k; ++i)
    if (all[i].symbol && all[i].host != all[k].host && all[i].name == all[k].name &&
        addressOf(site, all[i]) == addressOf(site, all[k]))
      fail(siteOfDeclare, "the program and its libraries have two variables `" + all[k].name +
                              "`, of which the device has one; give one of them another name");
}

}  // namespace

void bringDeclared(const char* site, Device& device) {
  const std::vector<Declared>& all = declaredVariables();
  if (device.declared == all.size()) return;
  const size_t first = device.declared;
  device.declared = all.size();
  for (size_t k = first; k < all.size(); ++k) refuseTwins(site, all, k);
  // A variable that several files declare may have its copy by any of them; those that no device code names
  // get memory.
  for (const bool hasSymbol : {true, false})
    for (size_t k = first; k < all.size(); ++k) {
      const Declared& d = all[k];
      if (d.kind == hone_acc_link || d.bytes == 0 || (d.symbol != nullptr) != hasSymbol) continue;
      void* memory = nullptr;
      if (hasSymbol)
        memory = addressOf(site, d);
      else if (!device.table.containing(d.host))
        memory = makeRoom(site, d);
      if (!addDeclared(device, d, static_cast<char*>(memory)) || d.first.empty()) continue;
      check(site, cudaMemcpy(memory, d.first.data(), d.bytes, cudaMemcpyHostToDevice),
            ("copying `" + d.name + "` to the device").c_str());
    }
}

void tellLinks(const Where& place, const Entry& entry, bool isThere) {
  for (const Declared& d : declaredVariables()) {
    // Without a symbol no device code asks for it; regions have the address anyway.
    if (d.kind != hone_acc_link || !d.symbol) continue;
    if (d.host < entry.host || d.host >= entry.host + entry.bytes) continue;
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
