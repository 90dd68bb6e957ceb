"""How do people and programs outside reach a Memory? Translate in, call Memory, translate out."""
