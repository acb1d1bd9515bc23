def main = -128u8
