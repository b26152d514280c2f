#include "DeviceRun.h"

#include <algorithm>

#include "TypedData.h"

namespace hone::test {
namespace {

class Setup {
 public:
  Setup(const ir::Kernel& kernel, const sim::Program& program, const RunLine& line, size_t index)
      : kernel(kernel),
        program(program),
        line(line),
        index(index),
        numbers(line.numbersOf(index)),
        isOpenCL(kernel.language == ir::Language::OpenCL) {}

  DeviceRun run(const std::function<void(const sim::WarpAccess&)>& onAccess, sim::Profiling* profiling) {
    for (const auto& [name, value] : numbers) out.name += " " + name + "=" + std::to_string(value);
    setLaunch();
    for (unsigned p = 0; p < kernel.params.size(); ++p) out.launch.arguments.push_back(argumentFor(p));
    sim::RunOptions options;
    options.print = [](const std::string&) {};
    options.stepLimit = 20'000'000;
    options.profiling = profiling;
    if (onAccess) {
      options.onAccess = onAccess;
      options.jobs = 1;
      options.checkRaces = options.checkUninitialized = options.rerunInOrder = false;
    }
    const sim::RunResult result = device.run(program, launch, options);
    if (!result.completed) out.problems.emplace_back("did not come to its end");
    // Writing what is there already is a warning, which some kernels of the corpus deserve.
    for (const sim::Finding& finding : result.findings)
      if (finding.cls != sim::FindingClass::SameValue) out.problems.push_back(sim::format(finding));
    for (const auto& [address, size] : buffers) {
      const uint8_t* bytes = device.memory.host(address);
      out.after.emplace_back(bytes, bytes + size);
    }
    return std::move(out);
  }

 private:
  void setLaunch() {
    const std::array<uint64_t, 3> grid = line.extents(line.grid, numbers, 1);
    out.launch.kernel = kernel.name;
    out.launch.local = line.extents(line.block, numbers, 1);
    out.launch.offset = line.extents(line.offset, numbers, 0);
    out.launch.dimensions = 1 + static_cast<uint32_t>(std::ranges::count(line.block, ','));
    launch.workDim = out.launch.dimensions;
    launch.cooperative = program.usesGridSync;
    launch.dynamicShared = static_cast<uint32_t>(evaluate(line.shared, numbers));
    out.launch.shared = launch.dynamicShared;
    out.launch.isCooperative = launch.cooperative;
    launch.arguments.resize(program.argumentBytes);
    for (size_t axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = static_cast<uint32_t>(grid[axis]);
      launch.block[axis] = static_cast<uint32_t>(out.launch.local[axis]);
      launch.globalOffset[axis] = out.launch.offset[axis];
      out.launch.global[axis] = grid[axis] * out.launch.local[axis];
    }
  }

  JobArgument argumentFor(unsigned p) {
    const ir::Variable& parameter = *kernel.params[p];
    JobArgument argument;
    if (auto local = line.locals.find(parameter.name); local != line.locals.end()) {
      argument.kind = JobArgument::Local;
      argument.size = static_cast<uint64_t>(evaluate(local->second, numbers));
      sim::setArgument(program, launch, p, &argument.size, program.parameters[p].size);
    } else if (auto texture = line.textures.find(parameter.name); texture != line.textures.end()) {
      const uint64_t handle = makeTexture(parameter.name, texture->second);
      out.hasPointers = true;
      sim::setArgument(program, launch, p, &handle, sizeof handle);
    } else if (auto array = line.arrays.find(parameter.name); array != line.arrays.end()) {
      const ir::TypePtr element = parameter.type->element;
      argument.kind = JobArgument::Buffer;
      argument.bytes = makeArray(element, array->second);
      argument.size = argument.bytes.size();
      setPointers(parameter.name, element, argument.bytes);
      const uint64_t address = place(parameter.name, element, argument.bytes, array->second.fill != "out");
      sim::setArgument(program, launch, p, &address, sizeof address);
      buffers.emplace_back(address, argument.size);
      out.elements.push_back(element);
      out.names.push_back(parameter.name);
    } else {
      auto value = line.values.find(parameter.name);
      argument.bytes = valueBytes(parameter.type, isOpenCL,
                                  value == line.values.end() ? parameter.name : value->second, numbers);
      setPointers(parameter.name, parameter.type, argument.bytes);
      argument.size = argument.bytes.size();
      sim::setArgument(program, launch, p, argument.bytes.data(), argument.size);
    }
    return argument;
  }

  std::vector<uint8_t> makeArray(const ir::TypePtr& element, const RunLine::Array& array) {
    std::vector<uint8_t> bytes(static_cast<uint64_t>(evaluate(array.length, numbers)) *
                               ir::sizeOf(*element, isOpenCL));
    fillBytes(bytes, element, isOpenCL, array.fill, numbers, 1000 * index + ++arrays);
    return bytes;
  }

  uint64_t place(const std::string& name, const ir::TypePtr& element, const std::vector<uint8_t>& bytes,
                 bool isSet) {
    const auto size = static_cast<uint32_t>(ir::sizeOf(*element, isOpenCL));
    const uint64_t address = device.memory.allocate(bytes.size(), name, size, isSet);
    std::copy(bytes.begin(), bytes.end(), device.memory.host(address));
    return address;
  }

  // Gives each pointer in the value of a parameter, or in its elements, an array of its own.
  void setPointers(const std::string& name, const ir::TypePtr& type, std::vector<uint8_t>& bytes) {
    auto found = line.pointees.find(name);
    if (found == line.pointees.end()) return;
    out.hasPointers = true;
    const uint64_t step = ir::sizeOf(*type, isOpenCL);
    const std::vector<TypedLeaf> leaves = leavesOf(type, isOpenCL);
    for (uint64_t at = 0; at + step <= bytes.size(); at += step) {
      for (const TypedLeaf& leaf : leaves) {
        if (!leaf.type || !leaf.type->isPointer()) continue;
        const uint64_t address =
            place("*" + name, leaf.type->element, makeArray(leaf.type->element, found->second), true);
        std::memcpy(bytes.data() + at + leaf.offset, &address, sizeof address);
      }
    }
  }

  // "W,H,D" floats, ":C" channels of them.
  uint64_t makeTexture(const std::string& name, std::string text) {
    sim::Texture texture;
    if (const size_t colon = text.find(':'); colon != std::string::npos) {
      texture.channels = static_cast<uint32_t>(evaluate(text.substr(colon + 1), numbers));
      text.erase(colon);
    }
    const std::array<uint64_t, 3> extents = line.extents(text, numbers, 0);
    uint64_t count = texture.channels;
    for (size_t axis = 0; axis < 3; ++axis) {
      texture.extent[axis] = static_cast<uint32_t>(extents[axis]);
      count *= std::max<uint64_t>(extents[axis], 1);
    }
    texture.pitch = extents[0] * texture.channels * 4;
    texture.slicePitch = texture.pitch * std::max<uint64_t>(extents[1], 1);
    texture.address =
        place(name, ir::floatType(32), makeArray(ir::floatType(32), {std::to_string(count), "0..1"}), true);
    return device.textures.add(texture);
  }

  const ir::Kernel& kernel;
  const sim::Program& program;
  const RunLine& line;
  size_t index;
  Numbers numbers;
  bool isOpenCL;
  sim::Device device;
  sim::LaunchConfig launch;
  std::vector<std::pair<uint64_t, uint64_t>> buffers;  // address and bytes
  uint64_t arrays = 0;
  DeviceRun out;
};

}  // namespace

DeviceRun runOnDevice(const ir::Kernel& kernel, const sim::Program& program, const RunLine& line,
                      size_t index, const std::function<void(const sim::WarpAccess&)>& onAccess,
                      sim::Profiling* profiling) {
  return Setup(kernel, program, line, index).run(onAccess, profiling);
}

}  // namespace hone::test
