use super::Angle;

/// The distance of two numbers in units in the last place; 0 if they are equal.
fn distance(a: f64, b: f64) -> u64 {
    if a.is_sign_negative() != b.is_sign_negative() { u64::MAX } else { a.to_bits().abs_diff(b.to_bits()) }
}

/// Angles with their sines, cosines and tangents from MPFR. The angles are the closest to multiples of a quarter turn
/// for their size.
const NEAREST: [(f64, f64, f64, f64); 9] = [
    (5.319372648326541e255, 1.0, -4.687165924254628e-19, -2.133485385753704e18),
    (1.5986289000543612e74, -1.0, -4.796584752012325e-18, 2.0848167012590928e17),
    (-1.2853022199154463e174, 4.970732575237069e-18, -1.0, -4.970732575237069e-18),
    (3.576149729694266e39, -1.0, -1.8208566377382172e-18, 5.4919205569206874e17),
    (563416747700.2246, 1.0, 1.5011223641895818e-17, 6.661682111037462e16),
    (3.924293714572882e298, 1.0, 2.0149386674952238e-18, 4.962930217836868e17),
    (-8.499364406047677e35, -1.0, 9.02308836997671e-17, -1.1082679887380746e16),
    (3.8176263899922184e209, 1.0692860596545141e-16, -1.0, -1.0692860596545141e-16),
    (14461176.67027838, -1.0, -1.6985038298986004e-18, 5.88753456069451e17),
];

#[test]
fn angles_closest_to_quarter_turns_are_accurate() {
    for (angle, sine, cosine, tangent) in NEAREST {
        let both = angle.sine_and_cosine();
        assert_eq!(both, (angle.sine(), angle.cosine()));
        for (given, expected) in [(both.0, sine), (both.1, cosine), (angle.tangent(), tangent)] {
            assert!(distance(given, expected) <= 2, "of {angle:e}: {given:e}, not {expected:e}");
        }
    }
}

/// If the angle is not close to a multiple of a quarter turn, the standard library is accurate.
#[test]
fn large_angles_agree_with_the_standard_library() {
    let mut angle: f64 = 1.1e8;
    for _ in 0..1000 {
        angle *= -1.9;
        for (given, expected) in
            [(angle.sine(), angle.sin()), (angle.cosine(), angle.cos()), (angle.tangent(), angle.tan())]
        {
            assert!(distance(given, expected) <= 3, "of {angle:e}: {given:e}, not {expected:e}");
        }
    }
    assert!(angle.is_finite() && angle.abs() > 1e280, "{angle:e}");
}

#[test]
fn infinities_and_nan_have_no_sine() {
    for angle in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert!(angle.sine().is_nan() && angle.cosine().is_nan() && angle.tangent().is_nan());
    }
    assert!((-0.0f64).sine().is_sign_negative());
}
