def f: u8 = -1u8
