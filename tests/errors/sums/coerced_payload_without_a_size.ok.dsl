type opt 't = #some t | #none
def f (b: bool) (n: i64) = if b then #some (iota n) else #none :> opt ([]i64)
