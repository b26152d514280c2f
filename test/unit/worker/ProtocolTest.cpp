#include "worker/Protocol.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "worker/Measure.h"

namespace hone::worker {
namespace {

using nlohmann::json;

TEST(WorkerProtocol, VariantsComeBackAsTheyWere) {
  VariantSpec variant;
  variant.id = "v1";
  variant.caseId = "c";
  variant.source = "kernel \"text\"\nwith lines";
  variant.flags = {"--fmad=false"};
  variant.buffers = {{"partial", 4096}};
  LaunchSpec launch;
  launch.kernel = "scale<float>";
  launch.grid = {7, 5, 1};
  launch.block = {32, 8, 1};
  launch.sharedBytes = 49664;
  launch.cooperative = true;
  launch.arguments = {{"a", 128, {}, 0}, {"", 0, {0xff, 0x00, 0x7a}, 0}, {"", 0, {}, 256}};
  variant.launches = {launch};
  variant.isReference = true;
  variant.giveUpAbove = 12.5;
  const VariantSpec back = variantFrom(json::parse(json(variant).dump()));
  EXPECT_EQ(json(back), json(variant));
  EXPECT_EQ(back.launches[0].arguments[1].bytes, launch.arguments[1].bytes);
  EXPECT_EQ(back.launches[0].arguments[0].offset, 128u);
  EXPECT_EQ(back.launches[0].arguments[2].localBytes, 256u);
}

TEST(WorkerProtocol, CasesComeBackAsTheyWere) {
  CaseSpec spec;
  spec.id = "c";
  spec.device = "cuda:0";
  spec.operations = 4096;
  ArraySpec array;
  array.name = "points";
  array.elements = 1000;
  array.elementBytes = 12;
  array.leaves = {{Scalar::F32, 0}, {Scalar::I32, 4}, {Scalar::BF16, 8}};
  array.fill = {FillKind::Permutation, 77, 1000, false, false, false};
  array.isWritten = false;
  ArraySpec captured = array;
  captured.elements = 2;
  captured.contents.assign(24, 0xa5);
  spec.arrays = {array, captured};
  EXPECT_EQ(json(caseFrom(json::parse(json(spec).dump()))), json(spec));
  EXPECT_EQ(caseFrom(json::parse(json(spec).dump())).arrays[1].contents, captured.contents);
  spec.arrays[1].contents.pop_back();
  EXPECT_THROW(caseFrom(json(spec)), ProtocolError);
}

TEST(WorkerProtocol, WhatMakesNoSenseIsRefusedInWords) {
  EXPECT_THROW(variantFrom(json::object()), ProtocolError);
  EXPECT_THROW(caseFrom(json{{"id", 3}}), ProtocolError);
  json array{{"name", "a"},
             {"elements", 4},
             {"element_bytes", 4},
             {"leaves", {{"f64", 0}}},
             {"fill", {{"kind", "values"}}}};
  EXPECT_THROW(caseFrom(json{{"id", "c"}, {"device", "cuda:0"}, {"arrays", {array}}}), ProtocolError);
}

TEST(WorkerScalar, HalvesAreThoseOfTheHardware) {
  // Every half but NaN comes back as it was, and what lies between two of them goes to the nearer, or to the
  // even one.
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const uint16_t half = static_cast<uint16_t>(bits);
    const double value = load(reinterpret_cast<const uint8_t*>(&half), Scalar::F16);
    if ((bits & 0x7fff) > 0x7c00) {
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    uint16_t back = 0;
    store(reinterpret_cast<uint8_t*>(&back), Scalar::F16, value, 0);
    EXPECT_EQ(back, half);
#ifdef __clang__
    EXPECT_EQ(value, static_cast<double>(std::bit_cast<_Float16>(half)));
#endif
  }
  for (double value :
       {1.00048828125, 1.00146484375, 65519.99, 65520.0, 0x1p-25, 0x1.8p-25, 3.1e-6, -2049.0, 2051.0}) {
    uint16_t made = 0;
    store(reinterpret_cast<uint8_t*>(&made), Scalar::F16, value, 0);
#ifdef __clang__
    EXPECT_EQ(made, std::bit_cast<uint16_t>(static_cast<_Float16>(value))) << value;
#endif
    EXPECT_NE(made, 0xffff);
  }
}

TEST(WorkerTiming, MedianAndItsInterval) {
  std::vector<double> samples;
  for (int i = 1; i <= 100; ++i) samples.push_back(i);
  const Timing timing = timingOf(samples);
  EXPECT_DOUBLE_EQ(timing.median, 50.5);
  // Order statistics 40 and 60 of 100 hold the median with 95 %.
  EXPECT_NEAR(timing.low, 41, 1);
  EXPECT_NEAR(timing.high, 61, 1);
  EXPECT_DOUBLE_EQ(timingOf({3, 1, 2}).median, 2);
}

}  // namespace
}  // namespace hone::worker
