def large = 0xffff_ffffi32
