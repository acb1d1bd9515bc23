def main = 255u8
