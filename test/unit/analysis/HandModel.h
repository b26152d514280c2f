// Kernel models written by hand: atoms, loops and accesses put together without source text.
#pragma once

#include "affine/KernelModel.h"

namespace hone::analysis::test {

struct HandModel {
  affine::KernelModel model;

  explicit HandModel(std::array<unsigned, 3> block) {
    model.block = block;
    model.atoms = std::make_shared<affine::Atoms>();
    model.atoms->blockShape = block;
  }

  affine::Atoms& atoms() { return *model.atoms; }
  affine::Poly tx() { return atoms().thread(0); }
  affine::Poly ty() { return atoms().thread(1); }
  affine::Poly bx() { return atoms().block(0); }
  affine::Poly by() { return atoms().block(1); }
  affine::Poly idx() { return bx() * int64_t(model.block[0]) + tx(); }
  affine::Poly idy() { return by() * int64_t(model.block[1]) + ty(); }
  affine::Poly symbol(const std::string& name, int64_t low = 0, int64_t high = INT32_MAX) {
    return atoms().symbol(name, nullptr, low, high);
  }

  // for (name = first; name < end; name += step); the value of its variable.
  affine::Poly loop(const std::string& name, int64_t first, const affine::Poly& end, int64_t step = 1) {
    const affine::LoopId index(model.loops.size());
    affine::Loop l;
    l.handle = "L" + std::to_string(index.number() + 1);
    const affine::Poly counter = atoms().loop(index);
    l.counter = counter.atoms().front();
    l.first = first;
    l.step = step;
    const affine::Poly value = affine::Poly(first) + counter * affine::Poly(step);
    l.runs = affine::atLeast0(end - value - 1);
    model.loops.add(l);
    atoms().loopNames.resize(model.loops.size());
    atoms().loopNames.back() = name;
    return value;
  }

  affine::ArrayId array(const std::string& name, ir::Space space = ir::Space::Global,
                        std::vector<int64_t> extents = {}) {
    affine::Array a;
    a.name = name;
    a.space = space;
    a.element = ir::floatType(32);
    a.extents = std::move(extents);
    return model.arrays.add(a);
  }

  // A read at a byte address under the loops made so far.
  affine::Access& access(const affine::Poly& address, unsigned bytes = 4,
                         affine::CondPtr guard = affine::always()) {
    if (model.arrays.empty()) array("a");
    affine::Access a;
    a.array = affine::ArrayId(model.arrays.size() - 1);
    a.handle = model.arrays.back().name + "#" + std::to_string(model.accesses.size() + 1);
    a.bytes = bytes;
    a.address = address;
    a.guard = std::move(guard);
    for (const affine::LoopId loop : model.loops.ids()) a.loops.push_back(loop);
    return model.accesses[model.accesses.add(a)];
  }
};

}  // namespace hone::analysis::test
