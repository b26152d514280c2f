// Which device a thread works with: environment variables, directives, functions.
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "Device.h"

namespace hone::acc {

namespace {

struct Choice {
  bool isHost = false;
  int number = 0;
};

struct Machine {
  std::vector<std::unique_ptr<Device>> devices;
  Choice first;  // of every thread
};

std::string lowered(const char* text) {
  std::string out;
  for (; *text; ++text) out += char(std::tolower(static_cast<unsigned char>(*text)));
  const std::string prefix = "acc_device_";
  return out.compare(0, prefix.size(), prefix) == 0 ? out.substr(prefix.size()) : out;
}

Choice fromEnvironment(int count) {
  Choice choice;
  choice.isHost = count == 0;
  if (const char* type = std::getenv("ACC_DEVICE_TYPE"); type && *type) {
    const std::string name = lowered(type);
    const std::string given = std::string("ACC_DEVICE_TYPE=") + type;
    if (name == "host") {
      choice.isHost = true;
    } else if (name == "nvidia" || name == "not_host") {
      if (count == 0) fail(given.c_str(), "there is no such device here");
    } else if (name != "default") {
      fail(given.c_str(), "no such type of device; known are host, nvidia, not_host and default");
    }
  }
  if (const char* number = std::getenv("ACC_DEVICE_NUM"); number && *number) {
    char* end = nullptr;
    const long n = std::strtol(number, &end, 10);
    const std::string given = std::string("ACC_DEVICE_NUM=") + number;
    const int most = choice.isHost ? 1 : count;
    if (*end) fail(given.c_str(), "not a number");
    if (n >= most)
      fail(given.c_str(), "there is no such device: they are counted from 0, and there " +
                              std::string(most == 1 ? "is 1" : "are " + std::to_string(most)));
    if (n > 0) choice.number = int(n);  // negative: as if it were not given
  }
  return choice;
}

Machine& machine() {
  static Machine* const only = [] {
    auto* m = new Machine;
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
      cudaGetLastError();
      count = 0;
    }
    for (int k = 0; k < count; ++k) {
      m->devices.push_back(std::make_unique<Device>());
      m->devices.back()->number = k;
    }
    m->first = fromEnvironment(count);
    return m;
  }();
  return *only;
}

Choice& choiceOfThread() {
  thread_local Choice choice = machine().first;
  return choice;
}

std::string countOfDevices() {
  const int count = deviceCount();
  return count == 1 ? "there is 1, number 0" : "there are " + std::to_string(count) + ", counted from 0";
}

}  // namespace

int deviceCount() { return int(machine().devices.size()); }

bool isHostType(int type) {
  return type == acc_device_host || (type == acc_device_default && machine().first.isHost) ||
         (type == acc_device_current && choiceOfThread().isHost);
}

int currentType() { return choiceOfThread().isHost ? acc_device_host : acc_device_nvidia; }

int currentNumber(const char* site, int type) {
  if (type == acc_device_none || type == acc_device_radeon) fail(site, "there is no device of this type");
  const Choice& choice = choiceOfThread();
  if (isHostType(type) != choice.isHost) return 0;
  return choice.number;
}

Device* deviceOf(const char* site, int number) {
  if (number < 0 || number >= deviceCount())
    fail(site, "there is no device " + std::to_string(number) + ": " + countOfDevices());
  return machine().devices[size_t(number)].get();
}

Device* currentDevice(const char* site) {
  const Choice& choice = choiceOfThread();
  if (choice.isHost) return nullptr;
  Device* device = deviceOf(site, choice.number);
  use(site, *device);
  return device;
}

void use(const char* site, Device& device) {
  check(site, cudaSetDevice(device.number), "the device cannot be used");
  bringDeclared(site, device);
}

void selectType(const char* site, int type) {
  Choice& choice = choiceOfThread();
  switch (type) {
    case acc_device_current: return;
    case acc_device_default: choice = machine().first; return;
    case acc_device_host:
      choice.isHost = true;
      choice.number = 0;
      return;
    case acc_device_nvidia:
    case acc_device_not_host:
      if (deviceCount() == 0) fail(site, "there is no device of this type here");
      if (choice.isHost) choice.number = 0;
      choice.isHost = false;
      return;
    default: fail(site, "there is no device of this type; known are host, nvidia, not_host and default");
  }
}

void selectNumber(const char* site, int number, int type) {
  selectType(site, type);
  Choice& choice = choiceOfThread();
  if (number < 0) {  // what it would be without a word
    choice.number = choice.isHost == machine().first.isHost ? machine().first.number : 0;
    return;
  }
  if (!choice.isHost)
    deviceOf(site, number);
  else if (number > 0)
    fail(site, "there is one host, number 0, and no " + std::to_string(number));
  choice.number = number;
}

}  // namespace hone::acc
