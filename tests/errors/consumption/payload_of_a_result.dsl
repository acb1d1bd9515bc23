def some 'a (x: a): (#some a a | #none) = #some x x
entry main [n] (xs: [n]i64): *(#some ([n]i64) ([n]i64) | #none) = some (copy xs)
