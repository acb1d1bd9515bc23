-- Only the definition is wrong: its uses are not reported, though nothing determines the type of `xs`.
def total xs = reduce (+) 0i64 ys

def main n = total n
