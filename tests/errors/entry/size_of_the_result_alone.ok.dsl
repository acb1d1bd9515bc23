def none (x: i32): [0][]i32 = []
entry rows: [0][3]i32 = none 1
