def first (text: []u8): u8 = text[0]
