use ravel_base::Limitation;

use super::limited;

#[test]
fn what_is_not_there_yet_says_so_at_its_place() {
    limited("def f (x: f32) = vjp (\\y -> y) x 1", Limitation::Differentiation, "vjp");
}
