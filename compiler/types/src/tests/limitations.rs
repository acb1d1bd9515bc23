use ravel_base::Limitation;

use super::limited;

#[test]
fn limitations_have_a_place() {
    for name in ["jvp", "vjp", "jmp", "mjp", "jvp2", "vjp2", "jmp2", "mjp2", "with_vjp", "with_vjp_tape"] {
        let program = format!("def f (x: f32) = {name} (\\y -> y) x 1");
        limited(&program, Limitation::Differentiation, name);
    }
}
