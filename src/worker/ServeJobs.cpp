#include "worker/ServeJobs.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "worker/CompileCuda.h"
#include "worker/Measure.h"
#include "worker/MeasureCeilings.h"

namespace hone::worker {

using nlohmann::json;

namespace {

class JobServer {
 public:
  explicit JobServer(std::ostream& to) : out(to) {}

  void serve(const json& job) {
    const std::string what = textOf(job, "do");
    if (what == "devices")
      devices();
    else if (what == "case")
      open(caseFrom(job));
    else if (what == "measure")
      run(variantFrom(job));
    else if (what == "compile")
      compile(job);
    else if (what == "ceilings")
      ceilings(job.at("device").get<std::string>());
    else
      throw ProtocolError("a job says what to do: devices, case, measure or ceilings");
  }

  void say(const json& answer) {
    out << answer.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
    out.flush();
  }

 private:
  void devices() {
    std::vector<std::string> notes;
    json answer{{"devices", json::array()}};
    for (const DeviceInfo& info : listDevices(notes)) answer["devices"].push_back(info);
    answer["notes"] = notes;
    say(answer);
  }

  void open(CaseSpec spec) {
    const std::string id = spec.id;
    onDevice.reset();
    reference.clear();
    if (!device || device->info().id != spec.device) device = openDevice(spec.device);
    try {
      onDevice = std::make_unique<CaseOnDevice>(*device, std::move(spec));
    } catch (const LaunchError& error) {
      throw ProtocolError(error.what());
    }
    say({{"case", id}, {"device", device->info()}, {"sets", onDevice->sets()}});
  }

  void run(const VariantSpec& variant) {
    if (!onDevice || onDevice->spec().id != variant.caseId)
      throw ProtocolError("case '" + variant.caseId + "' is not open");
    Result result = measure(*device, *onDevice, variant, reference);
    if (variant.isReference && result.status != Status::Ok) reference.clear();
    say(result);
  }

  // Machine code alone, for whoever measures it; no device is opened.
  void compile(const json& job) {
    json answer{{"id", textOf(job, "id")}};
    try {
      const CudaImage image = compileCuda(
          job.at("source").get<std::string>(), job.value("flags", std::vector<std::string>()),
          job.at("compute").get<std::string>(), job.at("kernels").get<std::vector<std::string>>());
      answer["status"] = name(Status::Ok);
      answer["image"] = hexOf(image.cubin.data(), image.cubin.size());
      answer["symbols"] = image.symbols;
      answer["image_ms"] = image.milliseconds;
    } catch (const BuildError& error) {
      answer["status"] = name(Status::BuildFailed);
      answer["message"] = error.what();
    }
    say(answer);
  }

  void ceilings(const std::string& id) {
    onDevice.reset();
    reference.clear();
    if (!device || device->info().id != id) device = openDevice(id);
    say({{"ceilings", measureCeilings(*device)}, {"device", device->info()}});
  }

  std::ostream& out;
  std::unique_ptr<Device> device;
  std::unique_ptr<CaseOnDevice> onDevice;
  Reference reference;
};

}  // namespace

int serveJobs(std::istream& in, std::ostream& out) {
  JobServer server(out);
  std::string line;
  while (readLine(in, line)) {
    if (line.empty()) continue;
    std::string id;
    try {
      const json job = parseLine(line);
      if (job.is_discarded()) throw ProtocolError("this line is no JSON");
      id = textOf(job, "id");
      server.serve(job);
    } catch (const DeviceError& error) {
      server.say({{"id", id}, {"status", name(Status::Faulted)}, {"message", error.what()}});
      return kBrokenDevice;
    } catch (const json::exception& error) {
      server.say({{"id", id}, {"status", name(Status::Invalid)}, {"message", error.what()}});
    } catch (const ProtocolError& error) {
      server.say({{"id", id}, {"status", name(Status::Invalid)}, {"message", error.what()}});
    } catch (const std::exception& error) {
      server.say({{"id", id}, {"status", name(Status::Faulted)}, {"message", error.what()}});
      return kBrokenDevice;
    }
  }
  return 0;
}

}  // namespace hone::worker
