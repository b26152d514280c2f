#include "ir/ConstantRole.h"

#include <cctype>

namespace hone::ir {

namespace {

// "kInputImage" of input_image.
std::string camelCase(const std::string& subject) {
  std::string name = "k";
  bool isStart = true;
  for (char c : subject) {
    if (c != '_') name += isStart ? char(std::toupper(static_cast<unsigned char>(c))) : c;
    isStart = c == '_';
  }
  return name;
}

const char* stem(RoleKind kind) {
  switch (kind) {
    case RoleKind::None:
    case RoleKind::TileExtent: return "";
    case RoleKind::BlockExtent: return "kBlock";
    case RoleKind::OriginalExtent: return "kTile";
    case RoleKind::MergeFactor: return "kPer";
    case RoleKind::MergedBlocks: return "kMerged";
    case RoleKind::PartExtent: return "kPart";
    case RoleKind::RunLength: return "kRun";
    case RoleKind::RunSkip: return "kSkip";
    case RoleKind::TileDepth: return "kDepth";
    case RoleKind::ThreadCount: return "kThreads";
    case RoleKind::LaneCount: return "kLanes";
    case RoleKind::PartCount: return "kParts";
    case RoleKind::RowCount: return "kRows";
    case RoleKind::EachCount: return "kEach";
    case RoleKind::UnrollFactor: return "kUnroll";
    case RoleKind::RotationWidth: return "kRotate";
    case RoleKind::IterationCount: return "kIterations";
    case RoleKind::BlockGroup: return "kGroup";
    case RoleKind::Threshold: return "kThreshold";
    case RoleKind::Limit: return "kLimit";
  }
  return "";
}

bool hasAxis(RoleKind kind) {
  switch (kind) {
    case RoleKind::BlockExtent:
    case RoleKind::OriginalExtent:
    case RoleKind::MergeFactor:
    case RoleKind::MergedBlocks:
    case RoleKind::PartExtent:
    case RoleKind::RunSkip: return true;
    default: return false;
  }
}

}  // namespace

std::string nameOf(const ConstantRole& role) {
  std::string name = stem(role.kind);
  if (role.kind == RoleKind::TileExtent) {
    const char* const sides[] = {"Cols", "Rows", "Planes", "Tile"};
    name = camelCase(role.subject) + sides[role.axis & 3];
  }
  if (hasAxis(role.kind)) name += "XYZ"[role.axis % 3];
  if (role.ordinal) name += std::to_string(role.ordinal + 1);
  return name;
}

}  // namespace hone::ir
