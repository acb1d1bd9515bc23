def f = 0x1ffffffffi64
