"""What tests of machines, of joint kinds and of the program itself are made with."""

from jourdain.testing.joint_check import JointReport, check_joint
from jourdain.testing.kinds import all_user_kinds
from jourdain.testing.random_loops import random_loop_model
from jourdain.testing.random_model import random_model
from jourdain.testing.states import random_coordinates, random_state

__all__ = [
    "JointReport",
    "all_user_kinds",
    "check_joint",
    "random_coordinates",
    "random_loop_model",
    "random_model",
    "random_state",
]
