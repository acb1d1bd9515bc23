type^ both '^a = (a, a)
