"""What do tests of Glossator, and of stores and providers that others write, need? Doubles and contract suites."""
