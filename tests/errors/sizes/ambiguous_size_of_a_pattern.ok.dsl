def main = let [n] [m] (xss: [n][m]i64) = [] : [0][2]i64 in n + m
