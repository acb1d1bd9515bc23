def f: #some i32 | #none = #none 1
