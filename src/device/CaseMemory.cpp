#include "device/CaseMemory.h"

#include <algorithm>
#include <cstring>

#include "sim/memory/FreedMemory.h"
#include "sim/memory/GlobalShadow.h"

namespace hone::device {

using namespace ir;

void CaseMemory::allocateFixed(const ArrayData& array) {
  uint64_t bytes = array.length * array.elementBytes;
  const uint32_t elementBytes = static_cast<uint32_t>(array.elementBytes);
  uint64_t address = device.memory.allocate(bytes, array.name, elementBytes, array.hasValue, 256,
                                            c.skewed.contains(array.name) ? elementBytes : 0);
  addresses[array.name] = address;
  if (bytes == 0) return;
  uint8_t* host = device.memory.host(address);
  if (array.initial.size() == bytes)
    std::memcpy(host, array.initial.data(), bytes);
  else
    madeUp(array)(host, 0, bytes);
}

void CaseMemory::allocate() {
  // Far apart: a launch may touch less of an array than its sizes say, and what tests before it take for the
  // whole of it reaches further.
  constexpr uint64_t between = 64 << 20;
  for (const ArrayData& array : data.arrays) {
    if (array.leaf < 0 || !array.aliasOf.empty()) continue;
    device.memory.leaveFree(between);
    allocateFixed(array);
  }
}

void CaseMemory::allocateElastic() {
  for (const ArrayData& array : data.arrays) {
    if (array.leaf < 0 || !array.aliasOf.empty()) continue;
    if (array.isGiven) {
      allocateFixed(array);
      continue;
    }
    addresses[array.name] =
        device.memory.allocateElastic(array.name, static_cast<uint32_t>(array.elementBytes), madeUp(array));
  }
}

void CaseMemory::setGlobals(const sim::Program& program) {
  for (const sim::GlobalVariable& variable : program.globals) {
    uint64_t address = device.globalVariable(variable);
    if (addresses.contains(variable.name)) continue;
    const ArrayData* array = data.find(variable.name);
    if (!array) continue;
    addresses[variable.name] = address;
    uint8_t* host = device.memory.host(address);
    // Of two programs each has its own.
    if (array->hasInitializer || (!variable.init.empty() && !c.inputs.contains(variable.name)))
      std::copy_n(variable.init.begin(), std::min<uint64_t>(variable.init.size(), variable.size), host);
    else if (array->initial.size() == variable.size)
      std::memcpy(host, array->initial.data(), variable.size);
    else if (!array->isZero)
      fillElements(host, 0, array->length, array->leaves, array->elementBytes, array->fill);
  }
}

PlanResult CaseMemory::run(const Plan& plan, Programs& programs, const sim::RunOptions& options,
                           const LaunchHooks& hooks) {
  setGlobals(programs.of(plan.original));
  for (const Step& step : plan.steps)
    if (const auto* launched = std::get_if<LaunchStep>(&step)) setGlobals(programs.of(launched->kernel));
  PlanLaunch launch;
  launch.grid = c.grid;
  launch.block = c.block;
  launch.dynamicShared = data.dynamicShared;
  launch.cooperative = c.cooperative;
  launch.arguments =
      argumentBytes(c, data, [this](const ArrayData& array) { return addresses.at(array.name); });
  return runPlan(device, plan, programs, launch, options, hooks);
}

uint64_t CaseMemory::touched(const ArrayData& array) const {
  auto address = addresses.find(array.name);
  const sim::Buffer* buffer = address == addresses.end() ? nullptr : device.memory.find(address->second);
  if (!buffer || buffer->highest <= 0) return 0;
  return (static_cast<uint64_t>(buffer->highest) + array.elementBytes - 1) / array.elementBytes;
}

bool CaseMemory::touchedBelow(const ArrayData& array) const {
  auto address = addresses.find(array.name);
  const sim::Buffer* buffer = address == addresses.end() ? nullptr : device.memory.find(address->second);
  return buffer && buffer->elastic && buffer->lowest < 0;
}

std::vector<uint8_t> CaseMemory::contents(const ArrayData& array) const {
  auto address = addresses.find(array.name);
  uint64_t bytes = array.length * array.elementBytes;
  if (address == addresses.end() || bytes == 0) return {};
  if (const sim::Buffer* buffer = device.memory.find(address->second); !buffer || !buffer->written) return {};
  const uint8_t* host = device.memory.host(address->second);
  if (array.initial.size() == bytes && std::memcmp(host, array.initial.data(), bytes) == 0) return {};
  return {host, host + bytes};
}

std::vector<uint8_t> CaseMemory::setBits(const ArrayData& array) const {
  auto address = addresses.find(array.name);
  uint64_t bytes = array.length * array.elementBytes;
  if (array.hasValue || address == addresses.end() || bytes == 0) return {};
  const sim::Buffer* buffer = device.memory.find(address->second);
  if (!buffer || !buffer->initialized) return {};
  return {buffer->initialized.get(), buffer->initialized.get() + (bytes + 7) / 8};
}

void CaseMemory::endChecks() {
  constexpr uint64_t muchBytes = 16 << 20;
  uint64_t checkedBytes = 0;
  for (const auto& [base, buffer] : device.memory.buffers()) {
    checkedBytes += buffer->shadow ? buffer->size : 0;
    buffer->shadow.reset();
  }
  if (checkedBytes > muchBytes) sim::returnFreedMemory();
}

void CaseMemory::release(const ArrayData& array) {
  const auto address = addresses.find(array.name);
  if (array.leaf < 0 || address == addresses.end()) return;
  device.memory.release(address->second);
  addresses.erase(address);
}

}  // namespace hone::device
