def first [n] (xs: [n]i64) (k: i64): #some []i64 | #none = if k > 1 then #some (take k xs) else #some (iota 3)

def main (xs: []i64) = match first xs 2 case #some ys -> i64.sum ys case #none -> 0
