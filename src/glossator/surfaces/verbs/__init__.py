"""What does each verb of the command line do? Parse in, call Memory, show out; one file per verb or small family."""
