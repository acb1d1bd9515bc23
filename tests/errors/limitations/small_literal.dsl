def letter = 97u8
