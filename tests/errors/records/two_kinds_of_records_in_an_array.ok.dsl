def rs = [{x = 1}, {x = 2}]
