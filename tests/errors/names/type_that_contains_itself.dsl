type tree = #leaf | #node tree tree
