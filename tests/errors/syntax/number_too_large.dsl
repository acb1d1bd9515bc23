def large = 0x1_0000_0000i32
