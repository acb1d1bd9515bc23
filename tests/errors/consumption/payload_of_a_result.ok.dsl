def some 'a (x: a): (#some a | #other a | #none) = #some x
entry main [n] (xs: [n]i64): *(#some ([n]i64) | #other ([n]i64) | #none) = some (copy xs)
