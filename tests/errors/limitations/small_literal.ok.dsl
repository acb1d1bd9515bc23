def letter = 97u32
