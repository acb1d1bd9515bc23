def f = map (.x) [{x = 1}, {x = 2}]
