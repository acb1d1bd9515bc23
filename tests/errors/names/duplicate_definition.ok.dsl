def one = 1
def two = 2
def three = 3i64
