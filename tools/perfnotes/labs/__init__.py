"""Running labs: the scratch folder, what a machine has, recording, verifying, reproducing."""
