def main = 0x8407i16
