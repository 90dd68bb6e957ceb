"""Does everything hold through the surfaces while servers are killed, the disk is full and keys change?"""
