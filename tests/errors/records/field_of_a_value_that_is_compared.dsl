def same 'a (_: a -> bool) (f: a -> bool): a -> bool = f
def main (x: i32) = same (\p -> p.age > x) (\p -> p > 18) {age = x}
