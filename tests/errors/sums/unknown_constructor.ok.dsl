def f: #left | #right = #left
