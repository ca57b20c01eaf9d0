// Loops around single evaluations, so that no call from Python is in the times.
// Compiled by peers.py when a benchmark runs; Pinocchio comes header-only from its wheel.
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace pin = pinocchio;

namespace {

constexpr auto local = pin::Convention::LOCAL;
constexpr auto world = pin::Convention::WORLD;

struct Chain {
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  Eigen::VectorXd q, v, x;
};

double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Time of this thread: what other processes take does not count.
template <class Function>
double seconds_per_call(long calls, Function function, clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  const double start = seconds(clock);
  for (long k = 0; k < calls; ++k) {
    function();
    asm volatile("" ::: "memory");
  }
  return (seconds(clock) - start) / calls;
}

// pin::Data holds tables of n^3 numbers (32 GB for 1000 joints): fill in only what is used here.
void resize(pin::Data& data, const pin::Model& model) {
  const auto n = model.njoints;
  for (const auto& joint : model.joints) {
    data.joints.push_back(joint.createData());
  }
  for (auto* poses : {&data.liMi, &data.oMi}) poses->resize(n, pin::SE3::Identity());
  for (auto* motions : {&data.v, &data.ov, &data.a, &data.oa, &data.a_gf, &data.oa_gf}) {
    motions->resize(n, pin::Motion::Zero());
  }
  for (auto* forces : {&data.f, &data.of, &data.h, &data.oh}) forces->resize(n, pin::Force::Zero());
  for (auto* bodies : {&data.oinertias, &data.oYcrb}) bodies->resize(n, pin::Inertia::Zero());
  for (auto* bodies : {&data.Yaba, &data.oYaba}) bodies->resize(n, pin::Inertia::Matrix6::Zero());
  data.J = pin::Data::Matrix6x::Zero(6, model.nv);
  data.u = data.ddq = data.tau = Eigen::VectorXd::Zero(model.nv);
}

void copy_result(const Chain& c, const std::string& what, double* result) {
  const pin::Data& data = *c.data;
  if (what == "kinematics") {
    Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(result, 4, 4) =
        data.oMi.back().toHomogeneousMatrix();
  } else if (what == "rnea") {
    Eigen::Map<Eigen::VectorXd>(result, c.model.nv) = data.tau;
  } else if (what.rfind("aba", 0) == 0) {
    Eigen::Map<Eigen::VectorXd>(result, c.model.nv) = data.ddq;
  } else {
    Eigen::Map<Eigen::MatrixXd>(result, c.model.nv, c.model.nv) =
        data.M.selfadjointView<Eigen::Upper>();
  }
}

}  // namespace

extern "C" {

// Revolute joints about axes[k] = 0, 1, 2; offsets[3k] from the joint before; m, com, moments.
void* make_chain(int n, const long* axes, const double* offsets, const double* masses,
                 const double* coms, const double* moments, int whole_data) {
  auto* chain = new Chain;
  pin::JointIndex last = 0;
  for (int k = 0; k < n; ++k) {
    const auto at = [k](const double* x) { return Eigen::Vector3d(x + 3 * k); };
    const pin::SE3 place(Eigen::Matrix3d::Identity(), at(offsets));
    const std::string name = "joint_" + std::to_string(k);
    if (axes[k] == 0) last = chain->model.addJoint(last, pin::JointModelRX(), place, name);
    if (axes[k] == 1) last = chain->model.addJoint(last, pin::JointModelRY(), place, name);
    if (axes[k] == 2) last = chain->model.addJoint(last, pin::JointModelRZ(), place, name);
    const Eigen::Matrix3d inertia = at(moments).asDiagonal();
    chain->model.appendBodyToJoint(last, pin::Inertia(masses[k], at(coms), inertia));
  }
  if (whole_data) {
    chain->data = std::make_unique<pin::Data>(chain->model);
  } else {
    chain->data = std::make_unique<pin::Data>();
    resize(*chain->data, chain->model);
  }
  return chain;
}

void free_chain(void* chain) { delete static_cast<Chain*>(chain); }

// Seconds per evaluation. x: accelerations (kinematics, rnea) or forces (aba).
double time_chain(void* handle, const char* what, const double* q, const double* v,
                  const double* x, long calls, double* result) {
  auto& c = *static_cast<Chain*>(handle);
  c.q = Eigen::Map<const Eigen::VectorXd>(q, c.model.nq);
  c.v = Eigen::Map<const Eigen::VectorXd>(v, c.model.nv);
  c.x = Eigen::Map<const Eigen::VectorXd>(x, c.model.nv);
  const std::string name(what);
  double seconds = 0;
  // One loop per algorithm: comparing names costs as much as a short algorithm.
  const auto time = [&](auto algorithm) { seconds = seconds_per_call(calls, algorithm); };
  const auto& m = c.model;
  auto& d = *c.data;
  if (name == "kinematics") time([&] { pin::forwardKinematics(m, d, c.q, c.v, c.x); });
  if (name == "aba_local") time([&] { pin::aba(m, d, c.q, c.v, c.x, local); });
  if (name == "aba_world") time([&] { pin::aba(m, d, c.q, c.v, c.x, world); });
  if (name == "rnea") time([&] { pin::rnea(m, d, c.q, c.v, c.x); });
  if (name == "crba_local") time([&] { pin::crba(m, d, c.q, local); });
  if (name == "crba_world") time([&] { pin::crba(m, d, c.q, world); });
  copy_result(c, name, result);
  return seconds;
}

// Seconds of semi-implicit Euler steps of many systems; states (systems, n) are advanced in place.
double time_rollout(void* handle, long systems, long steps, double dt, int threads, double* q,
                    double* v) {
  const auto& c = *static_cast<Chain*>(handle);
  const auto& m = c.model;
  const auto part = [&](long begin, long end) {
    pin::Data d(m);
    Eigen::VectorXd position(m.nq), rate(m.nv);
    const Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
    for (long i = begin; i < end; ++i) {
      position = Eigen::Map<Eigen::VectorXd>(q + i * m.nq, m.nq);
      rate = Eigen::Map<Eigen::VectorXd>(v + i * m.nv, m.nv);
      for (long k = 0; k < steps; ++k) {
        rate += dt * pin::aba(m, d, position, rate, tau, local);
        position += dt * rate;
      }
      Eigen::Map<Eigen::VectorXd>(q + i * m.nq, m.nq) = position;
      Eigen::Map<Eigen::VectorXd>(v + i * m.nv, m.nv) = rate;
    }
  };
  const auto all = [&] {
    std::vector<std::thread> pool;
    for (int k = 0; k < threads; ++k) {
      pool.emplace_back(part, systems * k / threads, systems * (k + 1) / threads);
    }
    for (auto& thread : pool) thread.join();
  };
  return seconds_per_call(1, all, CLOCK_MONOTONIC);
}

// Seconds per call of a compiled kernel of this package.
double time_kernel(void (*kernel)(void*), void* arguments, long calls) {
  return seconds_per_call(calls, [=] { kernel(arguments); });
}

// Seconds per pass through a list of functions of (model, data), as MuJoCo has them.
double time_passes(void (**functions)(void*, void*), int count, void* model, void* data,
                   long calls) {
  return seconds_per_call(calls, [=] {
    for (int k = 0; k < count; ++k) functions[k](model, data);
  });
}
}
