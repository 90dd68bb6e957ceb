"""How does what Memory answers look to a person, and to a program?"""
