def main = 256u8
