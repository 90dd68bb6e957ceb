"""The inspector: what a memory holds, why, and how it came to be, as pages of `glossator serve`."""
