def main = -129i8
