import "vectors"

def one = 1
