def main = -128i8
