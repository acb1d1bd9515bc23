entry none (x: i32): [0][]i32 = []
