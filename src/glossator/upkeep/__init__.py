"""What happens with time: review, compaction, prompt files, states of facts, erasure."""
