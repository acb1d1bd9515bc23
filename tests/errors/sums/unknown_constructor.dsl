def f: #left | #right = #up
