def main (x: i64) (y: i64) = match (x, y) case (1, 2) -> true case _ -> false
