entry main (c: bool): bool = !c
