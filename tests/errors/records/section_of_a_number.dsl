def f = map (.x) [1, 2]
