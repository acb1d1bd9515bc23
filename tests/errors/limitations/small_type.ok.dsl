def first (text: []i32): i32 = text[0]
