#include "tune/SizedKernel.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Error.h"

namespace hone::tune {

namespace {

// What the host pays for a temporary buffer of a plan, in microseconds; measurements are made with buffers
// that are there already.
constexpr double kBufferMicroseconds = 3;

size_t buffersIn(const ir::Plan& plan) {
  size_t count = 0;
  for (const ir::Step& step : plan.steps) {
    count += std::holds_alternative<ir::BufferStep>(step);
    if (const auto* choice = std::get_if<ir::ChoiceStep>(&step))
      count += std::max(buffersIn(*choice->then), buffersIn(*choice->otherwise));
    if (const auto* loop = std::get_if<ir::LoopStep>(&step)) count += buffersIn(*loop->body);
  }
  return count;
}

}  // namespace

size_t SizedKernel::add(const Variant& variant) {
  const auto [found, isNew] = byRecipe.emplace(passes::str(variant.recipe), variants.size());
  if (isNew) variants.push_back(variant);
  return found->second;
}

void SizedKernel::put(size_t point, size_t variant, Measurement measurement) {
  for (auto& row : measured) row.resize(variants.size());
  for (auto& row : isMeasured) row.resize(variants.size());
  measured[point][variant] = std::move(measurement);
  isMeasured[point][variant] = true;
}

std::string SizedKernel::jobAt(const TunedKernel& point, const ir::Plan& plan) const {
  return variantKey(planJob(plan, module, point.c, point.data).variant);
}

std::vector<TimedSize> SizedKernel::times(const std::set<size_t>& without) const {
  std::vector<TimedSize> out;
  for (size_t i = 0; i < at.size(); ++i) {
    TimedSize one;
    one.numbers = numbersOf(at[i]->c);
    const std::string original = jobAt(*at[i], *variants.front().plan);
    for (size_t v = 0; v < variants.size(); ++v) {
      size_t from = v;
      // Conditions that do not hold there make it the original.
      if (v > 0 && !(has(i, v) && measured[i][v].isOk())) {
        try {
          if (jobAt(*at[i], *variants[v].plan) == original) from = 0;
        } catch (const Error&) {}
      }
      const bool isOk = from == 0 || (has(i, v) && measured[i][v].isOk());
      const worker::Timing& timing = measured[i][from].result.timing;
      if (!isOk || timing.median <= 0 || without.contains(v)) {
        one.times.push_back(0);
        one.spreads.push_back(0);
        continue;
      }
      const double more =
          from == 0 ? 0 : static_cast<double>(buffersIn(*variants[v].plan)) * kBufferMicroseconds;
      one.times.push_back(timing.median + more);
      one.spreads.push_back((timing.high - timing.low) / 2 / timing.median);
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::unique_ptr<SizedKernel> prepareSizes(const ir::Module& module, const ir::KernelPtr& kernel,
                                          const passes::PassContext& context, const device::CaseMaker& maker,
                                          const std::vector<const device::CaseMaker*>& points,
                                          const sim::RunOptions& run, const TuneListener& listener) {
  auto out = std::make_unique<SizedKernel>(SizedKernel{module, kernel, context, maker});
  std::set<std::map<std::string, int64_t>> different;
  for (const device::CaseMaker* point : points) {
    out->at.push_back(prepareToTune(out->context, *point, kernel, run, listener));
    const device::Case& c = out->at.back()->c;
    different.insert(numbersOf(c));
    if (c.block != out->context.block)
      throw Error(fmt::format("its block is {} at {} and {} elsewhere; give one with --block",
                              device::extentsText(c.block), device::sizesText(c.sizes()),
                              device::extentsText(out->context.block)),
                  1);
  }
  if (different.size() < points.size())
    throw Error("two of the sizes are the same for it: --sizes must name whole numbers among its parameters",
                1);
  Variant original;
  original.plan = ir::originalPlan(kernel);
  out->measured.resize(points.size());
  out->isMeasured.resize(points.size());
  out->add(original);
  return out;
}

std::map<std::string, int64_t> numbersOf(const device::Case& c) {
  std::map<std::string, int64_t> out;
  for (const ir::VarPtr& param : c.kernel->params)
    if (param->type->is(ir::TypeKind::Int))
      if (auto number = c.numbers.find(param->name); number != c.numbers.end())
        out[param->name] = number->second.value.asWhole();
  return out;
}

}  // namespace hone::tune
