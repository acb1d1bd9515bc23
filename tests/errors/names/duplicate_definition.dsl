def one = 1
def two = 2
def one = 1i64
