def either '~a (b: bool) (yes: () -> a) (no: () -> a): a = if b then yes () else no ()
def f (b: bool) (xs: []i32) = either b (\() -> filter (> 0) xs) (\() -> filter (< 0) xs)
