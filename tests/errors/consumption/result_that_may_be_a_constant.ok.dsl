def table: [10]i64 = iota 10

def first [n]: [n]i64 = table[:n]

def up_to (n: i64): [n]i64 = copy first

def set (n: i64): []i64 = copy (up_to n) with [0] = 5
