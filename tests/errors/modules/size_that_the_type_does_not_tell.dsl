module m : { type^ taker [n] } = { type^ taker [n] = [n]i32 -> i32 }
