"""A robot in MuJoCo, with states of ours."""

import numpy as np
import pytest

from jourdain.model.joints import Free, Spherical

MJCF_RTOL = 1e-10


def relative(ours, theirs):
    return np.abs(np.asarray(ours) - theirs).max() / np.abs(theirs).max()


class Twin:
    """A robot in MuJoCo; its free joints count from the world, ours from their places."""

    def __init__(self, path, robot, system):
        mujoco = pytest.importorskip("mujoco")
        self.mujoco, self.robot, self.system = mujoco, robot, system
        self.model = mujoco.MjModel.from_xml_path(str(path))
        off = mujoco.mjtDisableBit
        self.model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT
        self.data = mujoco.MjData(self.model)

    def state(self, q, v):
        """Positions and velocities, and the matrix P of ``v_mujoco = P v``."""
        mujoco, names = self.mujoco, self.system.names
        qpos, P = np.zeros(self.model.nq), np.zeros((self.model.nv, len(v)))
        for joint in self.robot.joints:
            own = [k for k, n in enumerate(names.q) if n.startswith(f"{joint.name}.")]
            rates = [k for k, n in enumerate(names.v) if n.startswith(f"{joint.name}.")]
            if not own:
                continue
            there = self.model.joint(joint.name)
            at, to = there.qposadr[0], there.dofadr[0]
            x = q[own]
            turn = np.eye(len(rates))
            if isinstance(joint.kind, Free):
                R = np.array(joint.parent_place.rotation)
                turn[:3, :3] = R
                first, made = np.zeros(4), np.zeros(4)
                mujoco.mju_mat2Quat(first, R.ravel())
                mujoco.mju_mulQuat(made, first, x[3:])
                x = np.concatenate([joint.parent_place.position + R @ x[:3], made])
            elif not isinstance(joint.kind, Spherical):
                assert len(own) == 1
            qpos[at : at + len(own)] = x
            P[to : to + len(rates), rates] = turn
        return qpos, P @ v, P

    def forward(self, qpos, qvel):
        self.data.qpos[:], self.data.qvel[:] = qpos, qvel
        self.mujoco.mj_forward(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        for row, unit in zip(M, np.eye(self.model.nv), strict=True):
            self.mujoco.mj_mulM(self.model, self.data, row, unit)
        return M, self.data.qacc.copy()
