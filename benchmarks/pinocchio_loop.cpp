// Loops around one evaluation, so that no call from Python is in the time.
// Compiled by bench_kinematics.py at the time of the benchmark, header-only.
#include <chrono>
#include <memory>

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

namespace pin = pinocchio;

namespace {

struct Chain {
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  Eigen::VectorXd q, v, a;
};

template <class Function>
double seconds_per_call(long calls, Function function) {
  const auto start = std::chrono::steady_clock::now();
  for (long k = 0; k < calls; ++k) {
    function(k);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

// pin::Data holds tables of n^3 numbers (32 GB for 1000 joints): fill in only what is used here.
void resize_for_kinematics(pin::Data& data, const pin::Model& model) {
  for (const auto& joint : model.joints) {
    data.joints.push_back(joint.createData());
  }
  data.liMi.resize(model.njoints, pin::SE3::Identity());
  data.oMi.resize(model.njoints, pin::SE3::Identity());
  data.v.resize(model.njoints, pin::Motion::Zero());
  data.a.resize(model.njoints, pin::Motion::Zero());
}

}  // namespace

extern "C" {

// Revolute joints about x, y, z in turn, each 0.3 m along x of the one before.
void* make_chain(int n, int whole_data) {
  auto* chain = new Chain;
  pin::JointIndex last = 0;
  for (int k = 0; k < n; ++k) {
    const pin::SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(k ? 0.3 : 0.0, 0.0, 0.0));
    const std::string name = "joint_" + std::to_string(k);
    if (k % 3 == 0) last = chain->model.addJoint(last, pin::JointModelRX(), place, name);
    if (k % 3 == 1) last = chain->model.addJoint(last, pin::JointModelRY(), place, name);
    if (k % 3 == 2) last = chain->model.addJoint(last, pin::JointModelRZ(), place, name);
  }
  if (whole_data) {
    chain->data = std::make_unique<pin::Data>(chain->model);
  } else {
    chain->data = std::make_unique<pin::Data>();
    resize_for_kinematics(*chain->data, chain->model);
  }
  chain->a = Eigen::VectorXd::Zero(n);
  return chain;
}

void free_chain(void* chain) { delete static_cast<Chain*>(chain); }

// Seconds per forwardKinematics; the pose of the last body goes to pose[12], rows of [R p].
double time_chain(void* handle, const double* q, const double* v, long calls, double* pose) {
  auto& chain = *static_cast<Chain*>(handle);
  chain.q = Eigen::Map<const Eigen::VectorXd>(q, chain.model.nq);
  chain.v = Eigen::Map<const Eigen::VectorXd>(v, chain.model.nv);
  const double seconds = seconds_per_call(calls, [&chain](long) {
    pin::forwardKinematics(chain.model, *chain.data, chain.q, chain.v, chain.a);
    asm volatile("" ::: "memory");
  });
  const pin::SE3& last = chain.data->oMi.back();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose[4 * i + j] = last.rotation()(i, j);
    pose[4 * i + 3] = last.translation()(i);
  }
  return seconds;
}

// Seconds per call of a compiled kernel of this package.
double time_kernel(void (*kernel)(void*), void* arguments, long calls) {
  return seconds_per_call(calls, [=](long) { kernel(arguments); });
}
}
