def f: #left | #right = let way = #right in way
