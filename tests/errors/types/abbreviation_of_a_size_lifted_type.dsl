type~ numbers = []i32
type two = (numbers, numbers)
