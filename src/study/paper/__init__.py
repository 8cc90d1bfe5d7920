"""Was the paper reproduced?"""
