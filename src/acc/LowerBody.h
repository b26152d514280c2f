// The statements of a kernel or routine: loops spread over threads, and what stands around them done by one
// thread or by all with the same values.
//
// Outside of loops of lanes all threads of a gang (or worker) run the same control flow. What only computes
// is computed by all of them, each in its registers. What writes memory, prints or calls functions with
// effects is done by the first thread, and what it has found out is handed to the others through shared
// memory. Barriers stand where a thread may touch what another one touched before (Hazards.h); all threads of
// the gang, or lanes of the worker, come to each of them.
#pragma once

#include "acc/Hazards.h"
#include "acc/Homes.h"
#include "acc/LoopCount.h"

namespace hone::acc {

/// The gangs' part of a reduction whose result goes to an object of the device.
struct GangResult {
  frontend::AccReductionOp op = frontend::AccReductionOp::Add;
  ir::VarPtr object;   ///< DeviceObject::var
  ir::VarPtr running;  ///< each gang's value, in registers
};

struct LoweredBody {
  ir::StmtList stmts;               ///< shared variables first
  std::vector<GangResult> results;  ///< of which each gang's value is not stored yet
  std::vector<TripLimit> limits;
  /// Parameters that lead to what the gangs have of their own in global memory.
  std::vector<ir::VarPtr> ofGangs;
};

class BodyLowerer {
 public:
  /// `gangNumber`: of the kernel's gangs; null in routines, which do not know it.
  BodyLowerer(WorkRegion& theWork, const BlockShape& theShape, ir::ExprPtr gangNumber);

  /// `gangParameters`: parameters that each gang may change. `results`: of the whole construct.
  LoweredBody lower(Mode start, const std::vector<ir::VarPtr>& gangParameters,
                    std::vector<GangResult> results);

  /// The condition of the thread that does what is done once.
  ir::ExprPtr isFirst(Mode mode) const;
  /// `if (first thread) …`, with a barrier before it where one is needed.
  void once(ir::StmtList& out, Mode mode, ir::StmtList stmts);
  /// In a kernel of one block: what the gangs have stored becomes part of the object.
  ir::StmtList finishGangs(const GangResult& result, const ir::VarPtr& values, const ir::VarPtr& gangs);
  const std::vector<ir::VarPtr>& sharedVariables() const { return shared; }
  /// Where the threads of a gang or worker have a variable in common; null: nowhere.
  const ir::Variable* homeOf(const ir::Variable& var) const {
    const auto home = homes.find(&var);
    return home == homes.end() ? nullptr : home->second.shared.get();
  }

 private:
  bool isAlone() const { return shape.count() == 1; }
  bool isMemory(const ir::Variable& var) const;
  IsMemory memory() const {
    return [this](const ir::Variable& var) { return isMemory(var); };
  }
  Hazards& hazards(Mode mode) { return mode == Mode::Worker ? pending.ofWorker : pending.ofBlock; }
  void barrier(ir::StmtList& out, Mode mode);
  /// Before an iteration begins anew: what reductions and hand-overs in it have put into shared memory was
  /// read.
  void barrierForBuffers(ir::StmtList& out, Mode mode);
  void touch(ir::StmtList& out, Mode mode, By by, const Touches& touches);

  /// What no barrier has ordered yet, by who would have to wait.
  struct Pending {
    Hazards ofBlock, ofWorker;
    void join(const Pending& other);
  };
  /// A loop or switch around, which statements in it leave early.
  struct JumpTarget {
    bool isLoop = false;
    Touches again;  ///< what a loop's head reads between two iterations
    Pending left;   ///< at all jumps
  };

  // Statements
  ir::StmtList list(const ir::StmtList& stmts, Mode mode);
  ir::StmtPtr inner(const ir::StmtPtr& s, Mode mode) { return ir::block(list(listOf(s), mode), s->loc); }
  bool isStructural(const ir::StmtPtr& s) const;
  void structural(ir::StmtList& out, const ir::StmtPtr& s, Mode mode);
  void branch(ir::StmtList& out, const ir::StmtPtr& s, const ir::If& n, Mode mode);
  void sequentialFor(ir::StmtList& out, const ir::StmtPtr& s, const ir::For& n, Mode mode);
  void choice(ir::StmtList& out, const ir::StmtPtr& s, const ir::Switch& n, Mode mode);
  template <class Loop> void sequentialLoop(ir::StmtList& out, const ir::StmtPtr& s, const Loop& n,
                                            Mode mode);
  ir::StmtList loopBody(const ir::StmtPtr& body, const Touches& again, Mode mode);

  // Jumps and loops of all threads (LowerControl.cpp)
  Pending noPending() const { return {Hazards(&escaped), Hazards(&escaped)}; }
  void jump(ir::StmtList& out, const ir::StmtPtr& s, Mode mode);
  void betweenIterations(ir::StmtList& out, const Touches& again, Mode mode);

  // Runs of statements without loops of threads
  void run(ir::StmtList& out, const ir::StmtList& stmts, Mode mode);
  bool hasEffect(const ir::StmtPtr& s) const;
  void segment(ir::StmtList& out, const ir::StmtList& stmts, Mode mode);
  ir::ExprPtr broadcastCell(const ir::TypePtr& type, Mode mode);
  ir::StmtList plain(const ir::StmtPtr& s);
  ir::StmtList plain(const ir::StmtList& stmts);

  // Collective calls
  const ir::Call* collectiveCall(const ir::StmtPtr& s) const;
  void collective(ir::StmtList& out, const ir::StmtPtr& s, const ir::Call& call, Mode mode);

  // Loops of threads (LowerLoops.cpp)
  struct Spread {
    ir::ExprPtr first, stride;  // of the iterations' numbers; stride null: one each
    int64_t mostStride = 1;
  };
  Spread spreadOf(const LoopPlan& plan, Mode mode, const ir::TypePtr& type) const;
  void spread(ir::StmtList& out, const ir::StmtPtr& s, Mode mode);
  bool mayBePlain(const LoopPlan& plan, const LoopCount& count, int64_t mostStride);
  void iterations(ir::StmtList& out, const ir::StmtPtr& s, const LoopPlan& plan, const ir::StmtList& body,
                  Mode mode);
  ir::StmtList ofAxis(const ir::StmtPtr& body, Mode mode);
  void chunks(ir::StmtList& out, const ir::StmtPtr& s, const LoopPlan& plan, const ir::StmtList& body,
              Mode mode, const LoopCount& count, const ir::ExprPtr& begin, const ir::VarPtr& all);
  ir::ExprPtr settled(ir::StmtList& out, const ir::ExprPtr& e, const ir::StmtPtr& body,
                      const std::string& name);

  // Reductions (LowerReductions.cpp)
  void startReductions(ir::StmtList& out, const LoopPlan& plan);
  void finishReductions(ir::StmtList& out, const LoopPlan& plan, Mode mode);
  /// Every thread's number becomes the result of all of them.
  ir::StmtList overThreads(const ir::ExprPtr& number, frontend::AccReductionOp op, Inner inner, Mode mode);
  ir::VarPtr gangRunning(frontend::AccReductionOp op, const ir::VarPtr& object);
  ir::VarPtr buffer(const ir::TypePtr& type, int64_t count, const std::string& name);

  ir::ExprPtr lane(const ir::TypePtr& type = ir::uint32()) const;
  ir::StmtList moved(const ir::StmtList& stmts);
  ir::ExprPtr placeOf(const Home& home) const;

  WorkRegion& work;
  const BlockShape shape;
  const ir::ExprPtr gang;
  std::map<const ir::Variable*, Home> homes;
  std::set<const ir::Variable*> escaped;
  Pending pending{Hazards(&escaped), Hazards(&escaped)};
  std::vector<JumpTarget> targets;  // the innermost last
  std::vector<ir::VarPtr> shared, ofGangs;
  std::map<std::string, ir::VarPtr> buffers;
  std::vector<GangResult> results;
  std::vector<TripLimit> limits;
  ir::StmtPtr whole;  // the body as it is before
  bool insideGang = false;
};

}  // namespace hone::acc
