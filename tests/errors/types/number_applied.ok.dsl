def one = 1

def three = one + 2
