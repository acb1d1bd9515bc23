def f: #some i32 | #none = #some 1
