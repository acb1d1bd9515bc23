entry f [n]: [0][n]i32 = []
