def main = let [n] [m] (xss: [n][m]i64) = [] in n + m
