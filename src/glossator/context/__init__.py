"""What goes into a prompt: durable facts, the span that a cut drops."""
