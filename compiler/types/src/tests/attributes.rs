use ravel_base::{Code, Kind};

use super::{accept, check_text};

#[test]
fn known_attributes_are_accepted_everywhere() {
    accept(
        "#[noinline] #[unsafe] def f (#[blank] xs: []i32) =
           let #[scratch] ys = #[sequential_inner] #[incremental_flattening(no_outer, only_intra)] map (+ 1) xs
           in #[trace(ys)] ys",
    );
}

#[test]
fn an_unknown_attribute_is_worth_a_warning() {
    let checked = check_text("def f (xs: []i32) = #[sequentail] map (+ 1) xs");
    let [warning] = &checked.diagnostics[..] else { panic!("{:#?}", checked.diagnostics) };
    assert_eq!(warning.kind, Kind::Warning(Code::UnknownAttribute));
    assert_eq!(warning.help.as_deref(), Some("did you mean `sequential`?"));
    assert_eq!(checked.program.definitions.len(), 1);
}
