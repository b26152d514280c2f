#include "device/WorkerClient.h"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "ir/Error.h"

namespace hone::device {

using nlohmann::json;

namespace {

// After its last job, before it is killed.
constexpr double kEndSeconds = 3;

std::string localWorker() {
  if (const char* given = std::getenv("HONE_WORKER")) return given;
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = self.parent_path() / "hone-worker";
  return std::filesystem::exists(beside, error) ? beside.string() : "hone-worker";
}

bool isDeviceName(const std::string& text) {
  for (const char* kind : {"cuda", "opencl"})
    if (text == kind || text.starts_with(std::string(kind) + ":")) return true;
  return false;
}

std::vector<std::string> checked(const std::vector<std::string>& command) {
  if (command.empty()) throw Error("the embedded device has no worker; name a real one", 2);
  return command;
}

}  // namespace

WorkerAddress workerAddress(const std::string& text) {
  const std::string prefix = "worker:";
  if (text.starts_with(prefix)) {
    const std::string command = text.substr(prefix.size());
    if (command.find_first_not_of(' ') == std::string::npos)
      throw Error("worker: needs the command that starts one, e.g. 'worker:ssh gpu01 hone-worker'", 2);
    return {{"sh", "-c", command}, ""};
  }
  if (text == "embedded") return {{}, text};
  if (!text.empty() && !isDeviceName(text))
    throw Error(fmt::format("'{}' is no device; say cuda:0, opencl:0:0, embedded or 'worker:COMMAND' (hone "
                            "devices lists them)",
                            text),
                2);
  return {{localWorker()}, text};
}

WorkerClient::WorkerClient(const WorkerAddress& address) try
    : command(address.command.empty() ? "" : address.command.back()), process(checked(address.command)) {
} catch (const std::runtime_error& error) {
  throw Error(error.what(), 2);
}

WorkerClient::~WorkerClient() { process.endsWithin(kEndSeconds); }

std::string WorkerClient::ending() {
  process.kill();
  return fmt::format("the worker '{}' ended: {}", command, process.end());
}

WorkerClient::Devices WorkerClient::devicesFrom(const std::string& line) const {
  Devices out;
  try {
    const json answer = json::parse(line);
    for (const json& one : answer.at("devices")) out.devices.push_back(worker::deviceFrom(one));
    out.notes = answer.value("notes", std::vector<std::string>());
  } catch (const std::exception&) {
    throw Error(fmt::format("'{}' is no hone-worker: it answers '{}'", command, line.substr(0, 200)), 2);
  }
  return out;
}

WorkerClient::Devices WorkerClient::devices() {
  std::string line;
  process.write(devicesJob());
  const auto how = process.read(line, kOpenSeconds);
  if (how == worker::ChildProcess::Read::Line) return devicesFrom(line);
  if (how == worker::ChildProcess::Read::TimedOut)
    throw Error(fmt::format("the worker '{}' does not answer", command), 2);
  throw Error(fmt::format("the worker '{}' ended: {}", command, process.end()), 2);
}

}  // namespace hone::device
