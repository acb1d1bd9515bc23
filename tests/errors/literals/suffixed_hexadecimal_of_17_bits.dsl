def main = 0x18407i16
