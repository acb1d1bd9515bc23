def mixed = [1, 2.5]
