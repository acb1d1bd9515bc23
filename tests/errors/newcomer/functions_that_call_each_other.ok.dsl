def even (n: i32): bool = n == 0 || !(even (n - 1))
def odd (n: i32): bool = !(even n)
entry main (n: i32): bool = odd n
