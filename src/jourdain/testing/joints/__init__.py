"""Proof of joint kinds."""
