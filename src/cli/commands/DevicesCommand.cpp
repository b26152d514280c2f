// hone devices: what kernels can be run on.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/commands/Command.h"
#include "device/WorkerClient.h"
#include "report/Table.h"

namespace hone::cli {

namespace {

std::string sizeText(uint64_t bytes) {
  if (bytes >= uint64_t(1) << 30) return fmt::format("{:.0f} GiB", double(bytes) / (1 << 30));
  if (bytes >= uint64_t(1) << 20) return fmt::format("{:.0f} MiB", double(bytes) / (1 << 20));
  return bytes ? fmt::format("{} KiB", bytes >> 10) : "";
}

}  // namespace

int runDevices(const Arguments& arguments) {
  CLI::App app(
      "Lists the devices that kernels can be run on: the embedded one, and those that hone-worker finds.",
      "hone devices");
  std::string device;
  bool asJson = false;
  app.add_option("--device", device,
                 "ask this worker instead of the one here: 'worker:ssh gpu01 hone-worker'");
  app.add_flag("--json", asJson, "print JSON");
  app.footer(
      "CUDA devices need NVIDIA's driver and, to compile, NVRTC; OpenCL devices need an ICD loader with a "
      "platform. Neither\n"
      "is needed to build hone. The embedded device is always there.\n\n"
      "Examples:\n"
      "  hone devices\n"
      "  hone devices --device 'worker:srun -G1 hone-worker'");
  if (!parseArguments(app, arguments)) return exitDone;
  device::WorkerClient worker(device::workerAddress(device));
  const auto [devices, notes] = worker.devices();
  if (asJson) {
    nlohmann::json all{{"devices", devices}, {"notes", notes}};
    fmt::print("{}\n", all.dump(2));
    return exitDone;
  }
  std::vector<std::vector<std::string>> rows = {
      {"device", "name", "compute", "SMs", "MHz", "memory", "cache", "driver"}};
  if (device.empty())
    rows.push_back({"embedded", "warps on this machine's CPU, with all checks", "", "", "", "", "", ""});
  for (const worker::DeviceInfo& info : devices)
    rows.push_back({info.id, info.name, info.compute.substr(0, info.compute.find(" PoCL")),
                    fmt::format("{}", info.multiprocessors), fmt::format("{}", info.clockMHz),
                    sizeText(info.memoryBytes), sizeText(info.cacheBytes), info.driver});
  fmt::print("{}", report::table(rows));
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  return exitDone;
}

}  // namespace hone::cli
