"""The largest errors of the functions of a type of floats, `f64` or `f32`: a row of a table for each function.

Errors are in units in the last place of the nearest number, against MPFR with 113 bits. The program is written into a
folder. Functions are measured in parallel, each on points that do not depend on which others are measured.
"""

import math
import multiprocessing
import subprocess
import sys

import gmpy2
import numpy as np

RAVEL, FOLDER, TYPE, COUNT, WORD = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]
PROGRAM = f"{FOLDER}/{TYPE}.dsl"
IS_SINGLE = TYPE == "f32"
FLOAT, BITS = (np.float32, np.uint32) if IS_SINGLE else (np.float64, np.uint64)
DIGITS = 24 if IS_SINGLE else 53
LEAST, MOST = float(FLOAT(np.finfo(FLOAT).smallest_subnormal)), float(np.finfo(FLOAT).max)
BACKENDS = ["cpu", "gpu"]

random = None
gmpy2.get_context().precision = 113
PI = gmpy2.const_pi()


def pick(double, single):
    """A bound that depends on the type."""
    return single if IS_SINGLE else double


def between(low, high):
    """Points of uniform density."""
    return lambda count: random.uniform(low, high, count)


def powers(sign, least=LEAST, most=MOST):
    """Equally many points between each two powers of two, subnormal numbers included; of both signs, if `sign` is not 1."""
    first, last = (int(FLOAT(bound).view(BITS)) for bound in (least, most))

    def draw(count):
        bits = random.integers(first, last, count, dtype=BITS, endpoint=True)
        return bits.view(FLOAT) * (1 if sign == 1 else random.choice([-1, 1], count))

    return draw


def near(value):
    """Points close to a value, at distances of all magnitudes."""

    def draw(count):
        return value + np.ldexp(random.uniform(-1, 1, count), random.integers(3 - DIGITS, 0, count))

    return draw


def quarter_turns(count):
    """Points next to a multiple of a quarter turn."""
    return np.array([float(PI / 2 * int(multiple)) for multiple in random.integers(-(10**6), 10**6, count)])


def closest_to_quarter_turns(count):
    """Those of every power of two that come closest to a multiple of a quarter turn, by continued fractions."""
    (pi, scale), numbers = map(int, gmpy2.const_pi(2300).as_mantissa_exp()), []
    for exponent in range(1 - DIGITS, pick(971, 104)):
        quarter, unit = pi << max(0, -exponent), 1 << (1 - scale + max(0, exponent))
        before, closest = 0, 1
        while True:
            share, (quarter, unit) = quarter // unit, (unit, quarter % unit)
            before, closest = closest, share * closest + before
            if closest >= 2**DIGITS:
                break
            multiples = [closest * times for times in range(1, 65)]
            numbers += [math.ldexp(m, exponent) for m in multiples if 2 ** (DIGITS - 1) <= m < 2**DIGITS]
    return np.resize(numbers, count) * random.choice([-1, 1], count)


def half_turns(function):
    """A function of a number of half turns. At multiples of a quarter turn it is exact."""

    def of(x):
        turn = gmpy2.remainder(x, 2)
        value = function(PI * turn)
        return gmpy2.rint(value) if gmpy2.is_integer(2 * turn) else value

    return of


def tanpi(x):
    rest = x - gmpy2.rint(x)
    return gmpy2.mpfr("inf") if abs(rest) == 0.5 else gmpy2.tan(PI * rest)


def gamma_of_magnitude(x):
    return gmpy2.lgamma(x)[0]


# Bounds of arguments for which results are finite.
EXP, EXP2, EXP10 = pick(709.7, 88.7), pick(1023.9, 127.9), pick(308.2, 38.5)
EXPONENT, HYPERBOLIC, GAMMA = pick(600, 70), pick(710, 89.4), pick(171.6, 35.04)

# Name, reference, and what arguments to try: for functions of two, a pair of draws.
FUNCTIONS = [
    ("sqrt", gmpy2.sqrt, [powers(1)]),
    ("rsqrt", gmpy2.rec_sqrt, [powers(1)]),
    ("cbrt", gmpy2.cbrt, [powers(-1)]),
    ("hypot", gmpy2.hypot, [(powers(-1), powers(-1)), (between(-4, 4), between(-4, 4))]),
    ("exp", gmpy2.exp, [between(pick(-745, -103.9), EXP), between(-1, 1), powers(-1, most=EXP)]),
    ("exp2", gmpy2.exp2, [between(pick(-1074, -149), EXP2), between(-1, 1), powers(-1, most=EXP2)]),
    ("exp10", gmpy2.exp10, [between(pick(-323, -45), EXP10), between(-1, 1), powers(-1, most=EXP10)]),
    ("log", gmpy2.log, [powers(1), between(1e-3, 4), near(1)]),
    ("log1p", gmpy2.log1p, [powers(1), powers(-1, most=0.99999), between(-0.99999, 4), near(0)]),
    ("log2", gmpy2.log2, [powers(1), between(1e-3, 4), near(1)]),
    ("log10", gmpy2.log10, [powers(1), between(1e-3, 4), near(1)]),
    ("power", lambda x, y: x**y, [(between(1e-3, 100), between(-20, 20)), (powers(1), between(-1, 1)), (between(0.3, 3), between(-EXPONENT, EXPONENT)), (near(1), powers(-1))]),
    ("sin", gmpy2.sin, [between(-10, 10), between(-1e5, 1e5), powers(-1), quarter_turns, closest_to_quarter_turns]),
    ("cos", gmpy2.cos, [between(-10, 10), between(-1e5, 1e5), powers(-1), quarter_turns, closest_to_quarter_turns]),
    ("tan", gmpy2.tan, [between(-10, 10), between(-1e5, 1e5), powers(-1), quarter_turns, closest_to_quarter_turns]),
    ("asin", gmpy2.asin, [between(-1, 1), powers(-1, most=1)]),
    ("acos", gmpy2.acos, [between(-1, 1), powers(-1, most=1)]),
    ("atan", gmpy2.atan, [between(-10, 10), powers(-1)]),
    ("atan2", gmpy2.atan2, [(between(-4, 4), between(-4, 4)), (powers(-1), powers(-1))]),
    ("sinh", gmpy2.sinh, [between(-4, 4), between(-HYPERBOLIC, HYPERBOLIC), powers(-1, most=HYPERBOLIC)]),
    ("cosh", gmpy2.cosh, [between(-4, 4), between(-HYPERBOLIC, HYPERBOLIC), powers(-1, most=HYPERBOLIC)]),
    ("tanh", gmpy2.tanh, [between(-20, 20), between(-1, 1), powers(-1)]),
    ("asinh", gmpy2.asinh, [between(-10, 10), powers(-1)]),
    ("acosh", gmpy2.acosh, [between(1, 10), between(1, 1.001), powers(1, least=1)]),
    ("atanh", gmpy2.atanh, [between(-0.9999999, 0.9999999), powers(-1, most=0.9999999)]),
    ("sinpi", half_turns(gmpy2.sin), [between(-4, 4), between(-1e5, 1e5), powers(-1, most=1e5)]),
    ("cospi", half_turns(gmpy2.cos), [between(-4, 4), between(-1e5, 1e5), powers(-1, most=1e5)]),
    ("tanpi", tanpi, [between(-4, 4), between(-1e5, 1e5), powers(-1, most=1e5)]),
    ("asinpi", lambda x: gmpy2.asin(x) / PI, [between(-1, 1), powers(-1, most=1)]),
    ("acospi", lambda x: gmpy2.acos(x) / PI, [between(-1, 1), powers(-1, most=1)]),
    ("atanpi", lambda x: gmpy2.atan(x) / PI, [between(-10, 10), powers(-1)]),
    ("atan2pi", lambda y, x: gmpy2.atan2(y, x) / PI, [(between(-4, 4), between(-4, 4)), (powers(-1), powers(-1))]),
    ("gamma", gmpy2.gamma, [between(0.01, 20), between(-20, 0), between(pick(-190, -42), -20), between(20, GAMMA), powers(-1, most=GAMMA)]),
    ("lgamma", gamma_of_magnitude, [between(0.01, 20), near(1), near(2), powers(1)]),
    ("erf", gmpy2.erf, [between(-6, 6), powers(-1)]),
    ("erfc", gmpy2.erfc, [between(-6, 6), between(0, pick(27, 10)), powers(-1, most=pick(27, 10))]),
]


def entry(name, draws):
    """An entry point that maps the function."""
    function = "(**)" if name == "power" else f"{TYPE}.{name}"
    if isinstance(draws[0], tuple):
        return f"entry {name} [n] (xs: [n]{TYPE}) (ys: [n]{TYPE}): [n]{TYPE} = map2 {function} xs ys\n"
    return f"entry {name} (xs: []{TYPE}): []{TYPE} = map {function} xs\n"


def written(array):
    head = b"b\x02\x01 " + TYPE.encode() + np.uint64(len(array)).tobytes()
    return head + array.tobytes()


def results(name, backend, points):
    """What the compiled function gives."""
    command = [RAVEL, "run", "--binary", "--backend", backend, "--entry", name, PROGRAM]
    output = subprocess.run(command, input=b"".join(map(written, points)), stdout=subprocess.PIPE, check=True).stdout
    return np.frombuffer(output[15:], dtype=FLOAT)


def references(function, points):
    """What it must give, as the nearest number and the rest."""
    exact = [function(*map(gmpy2.mpfr, map(float, point))) for point in zip(*points)]
    with np.errstate(over="ignore"):
        near_it = np.array([float(value) for value in exact]).astype(FLOAT)
    rest = [float(value - float(about)) if np.isfinite(about) else 0.0 for value, about in zip(exact, near_it)]
    return near_it, np.array(rest)


with open(PROGRAM, "w") as file:
    file.writelines(entry(name, draws) for name, _, draws in FUNCTIONS)


def row(number):
    """The row of the function of this number."""
    global random
    name, function, draws = FUNCTIONS[number]
    random = np.random.default_rng([1, number])
    worst = {}
    for draw in draws:
        points = [one(COUNT // len(draws)).astype(FLOAT) for one in (draw if isinstance(draw, tuple) else (draw,))]
        exact, rest = references(function, points)
        for backend in BACKENDS:
            given = results(name, backend, points)
            with np.errstate(invalid="ignore", over="ignore"):
                error = np.abs(given.astype(np.float64) - exact - rest) / np.abs(np.spacing(exact))
            error[(given == exact) & ~np.isfinite(exact) | np.isnan(given) & np.isnan(exact)] = 0
            error[np.isnan(error)] = np.inf
            at = int(np.argmax(error))
            there = (float(error[at]), [float(point[at]) for point in points])
            worst[backend] = max(worst.get(backend, there), there)
    cells = [f"{error:.2f} | {', '.join(map(repr, point))}" for error, point in map(worst.get, BACKENDS)]
    return f"| `{name}` | {' | '.join(cells)} |"


# Forked processes inherit the functions, which cannot be sent to other processes.
with multiprocessing.get_context("fork").Pool() as pool:
    for line in pool.imap(row, [number for number, (name, _, _) in enumerate(FUNCTIONS) if WORD in name]):
        print(line, flush=True)
