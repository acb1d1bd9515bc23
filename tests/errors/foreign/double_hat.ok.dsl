entry main (a: bool) (b: bool): bool = a != b
