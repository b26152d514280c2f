// Variables of one replica, made into arrays where they live from one loop over the replicas to another.
#pragma once

#include "passes/merge/ReplicaMasks.h"

namespace hone::passes {

// Loops over the replicas, by their counters.
struct ReplicaLoops {
  std::map<const ir::Variable*, unsigned> axisOf;
};

ir::StmtPtr withReplicaArrays(const ir::StmtPtr& body, const Replicas& replicas,
                              const std::array<ir::ConstantRole, 3>& constants, const ReplicaMasks& masks,
                              const ReplicaLoops& loops);

}  // namespace hone::passes
