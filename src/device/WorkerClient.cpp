#include "device/WorkerClient.h"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "ir/Error.h"

namespace hone::device {

using nlohmann::json;

namespace {

// A worker starts drivers and makes arrays before its first answer, and a queueing system may let it wait before that.
constexpr double kOpenSeconds = 600;
// The worker keeps a variant's time limit itself; this is for a worker that is gone.
constexpr double kSpareSeconds = 300;

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

std::string WorkerClient::ask(const std::string& job, double seconds) {
  std::string line;
  if (process.write(job)) {
    const auto how = process.read(line, seconds);
    if (how == worker::ChildProcess::Read::Line) return line;
    if (how == worker::ChildProcess::Read::TimedOut)
      throw Error(fmt::format("the worker '{}' does not answer", command), 2);
  }
  throw Error(fmt::format("the worker '{}' ended: {}", command, process.end()), 2);
}

WorkerClient::Devices WorkerClient::devices() {
  Devices out;
  const std::string line = ask(R"({"do":"devices"})", kOpenSeconds);
  try {
    const json answer = json::parse(line);
    for (const json& one : answer.at("devices")) out.devices.push_back(worker::deviceFrom(one));
    out.notes = answer.value("notes", std::vector<std::string>());
  } catch (const std::exception&) {
    throw Error(fmt::format("'{}' is no hone-worker: it answers '{}'", command, line.substr(0, 200)), 2);
  }
  return out;
}

worker::DeviceInfo WorkerClient::open(const worker::CaseSpec& spec) {
  const json answer = json::parse(ask(json(spec).dump(), kOpenSeconds), nullptr, false);
  if (!answer.is_object() || !answer.contains("case"))
    throw Error(fmt::format("the worker '{}' cannot set up the arrays: {}", command,
                            answer.is_object() ? answer.value("message", std::string("no reason given"))
                                               : "no reason given"),
                2);
  return worker::deviceFrom(answer.at("device"));
}

worker::Result WorkerClient::measure(const worker::VariantSpec& variant) {
  const std::string line = ask(json(variant).dump(), variant.timeoutSeconds + kSpareSeconds);
  try {
    return worker::resultFrom(json::parse(line));
  } catch (const std::exception& error) {
    throw Error(fmt::format("the worker '{}' answers what cannot be read: {}", command, error.what()), 2);
  }
}

worker::Ceilings WorkerClient::ceilings(const std::string& device) {
  const json answer =
      json::parse(ask(json{{"do", "ceilings"}, {"device", device}}.dump(), kOpenSeconds), nullptr, false);
  if (!answer.is_object() || !answer.contains("ceilings")) return {};
  try {
    return worker::ceilingsFrom(answer.at("ceilings"));
  } catch (const worker::ProtocolError& error) {
    throw Error(fmt::format("the worker '{}' answers what cannot be read: {}", command, error.what()), 2);
  }
}

}  // namespace hone::device
