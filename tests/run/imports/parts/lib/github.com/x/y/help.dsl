import "../../u/v/one"

def more (x: i32) = x + one
