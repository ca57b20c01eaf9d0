"""What `verify` compares: identities, formulations, single bodies."""
