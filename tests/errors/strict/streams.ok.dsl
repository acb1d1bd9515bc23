-- A function of that name which is the program's own.
def stream_red [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): a = reduce op ne xs
entry main (xs: []i64): i64 = stream_red (+) 0 xs
