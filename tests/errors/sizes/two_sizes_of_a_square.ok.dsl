type square [n] 't = [n][n]t
def table: i64 -> square [] i64 = \n -> tabulate_2d (n + 2) (n + 2) (*)
