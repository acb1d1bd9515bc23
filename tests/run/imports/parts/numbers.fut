-- | What the tests import.

type number = i32

def three: number = 3

def twice (x: number): number = 2 * x

local def hidden: number = 100

def more (x: number): number = x + hidden

entry main (x: number): number = -x
