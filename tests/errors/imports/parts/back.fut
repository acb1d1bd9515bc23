import "there"
def one: i32 = 1
