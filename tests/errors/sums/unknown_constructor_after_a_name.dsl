def f: #left | #right = let way = #up in way
