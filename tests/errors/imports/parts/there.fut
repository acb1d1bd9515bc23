import "back"
def one: i32 = 1
