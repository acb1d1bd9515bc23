-- Strings are arrays of u8 in UTF-8. Characters are numbers of any type.
-- ==
-- entry: hello
-- input { }
-- output { [104u8, 101u8, 108u8, 108u8, 111u8] }
-- entry: utf8
-- input { }
-- output { [226u8, 130u8, 172u8] 3i64 }
-- entry: escapes
-- input { }
-- output { [10u8, 9u8, 34u8, 92u8, 65u8, 65u8, 65u8, 66u8] }
-- entry: empty
-- input { }
-- output { 0i64 }
-- entry: counted
-- input { [98u8, 97u8, 110u8, 97u8, 110u8, 97u8] }
-- output { 3i64 }
-- entry: joined
-- input { [97u8, 98u8] }
-- output { [60u8, 97u8, 98u8, 62u8] }
-- entry: compared
-- input { [121u8, 101u8, 115u8] }
-- output { true }
-- input { [121u8, 101u8, 116u8] }
-- output { false }
-- entry: upper
-- input { [97u8, 98u8, 67u8, 33u8] }
-- output { [65u8, 66u8, 67u8, 33u8] }
-- entry: kinds
-- input { [97u8, 49u8, 32u8, 63u8] }
-- output { [0, 1, 2, 3] }

entry hello = "hello"

entry utf8 = ("€", length "€")

entry escapes = "\n\t\"\\\65\x41\o101\&B"

entry empty: i64 = length ""

entry counted (text: []u8): i64 = length (filter (== 'a') text)

entry joined (text: []u8): []u8 = "<" ++ text ++ ">"

entry compared (text: [3]u8): bool = text == "yes"

entry upper [n] (text: [n]u8): [n]u8 =
  map (\c -> if 'a' <= c && c <= 'z' then c - 'a' + 'A' else c) text

entry kinds [n] (text: [n]u8): [n]i32 =
  map (\c -> match c
             case 'a' -> 0
             case '1' -> 1
             case ' ' -> 2
             case _ -> 3) text
