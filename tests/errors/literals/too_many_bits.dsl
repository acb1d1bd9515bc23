def f = 0x1ffffffffi32
