def f = "abc
