def main = -129u8
