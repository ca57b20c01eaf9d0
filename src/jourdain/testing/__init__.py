"""What tests of machines, of joint kinds and of the program itself are made with."""

from jourdain.testing.contacts.contact_check import ContactReport, check_contacts
from jourdain.testing.joints.joint_check import JointReport, check_joint
from jourdain.testing.joints.kinds import all_user_kinds
from jourdain.testing.law_check import check_law
from jourdain.testing.measure_check import check_measure
from jourdain.testing.part_report import PartReport
from jourdain.testing.random_loops import random_loop_model
from jourdain.testing.random_model import random_model
from jourdain.testing.states import random_coordinates, random_state

__all__ = [
    "ContactReport",
    "JointReport",
    "PartReport",
    "all_user_kinds",
    "check_contacts",
    "check_joint",
    "check_law",
    "check_measure",
    "random_coordinates",
    "random_loop_model",
    "random_model",
    "random_state",
]
