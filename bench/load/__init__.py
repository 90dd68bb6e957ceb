"""What do many clients at once get from a server, and what would the bare library have given them?

python -m bench.load [--clients 50] [--seconds 60] [--data locomo5_dev.json] [--json figures.json]
"""
