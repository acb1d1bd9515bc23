-- The depth of recursion: a hundred thousand nested calls succeed, a hundred million fail with a message.
-- ==
-- tags { no_gpu }
-- entry: depth
-- input { 100000i64 }
-- output { 100000i64 }
-- input { 100000000i64 }
-- error: nested this deeply

-- ==
-- entry: endless
-- input { 1i32 }
-- error: nested this deeply

entry depth (n: i64): i64 = if n == 0 then 0 else 1 + depth (n - 1)

def forever (n: i32): i32 = 1 + forever (n + 1)

entry endless (n: i32): i32 = forever n
