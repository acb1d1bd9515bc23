use ravel_base::{Code, Kind};

use super::{accept, check_text};

#[test]
fn known_attributes_are_accepted_everywhere() {
    accept(
        "#[noinline] #[unsafe] def f (#[blank] xs: []i32) =
           let #[scratch] ys = #[sequential_inner] #[incremental_flattening(no_outer)] #[flattening(bins, by_width)] map (+ 1) xs
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

#[test]
fn an_unknown_argument_is_worth_a_warning() {
    let warnings = |attribute: &str| {
        let checked = check_text(&format!("def f (xs: []i32) = #[{attribute}] map (+ 1) xs"));
        let shown = checked.diagnostics.iter().map(|warning| {
            assert_eq!(warning.kind, Kind::Warning(Code::UnknownAttribute));
            format!("{}; {}", warning.message.replace('"', "`"), warning.help.as_deref().unwrap_or(""))
        });
        shown.collect::<Vec<_>>().join("\n")
    };
    let of_flattening = |argument: &str| format!("Unknown argument `{argument}` of attribute `flattening`");
    let all = "`bins`, `block`, `full`, `no`";
    assert_eq!(
        warnings("flattening(blok)"),
        format!("{}; did you mean `block`? Known arguments: {all}", of_flattening("blok"))
    );
    assert_eq!(
        warnings("flattening(nested)"),
        format!("{}; known arguments: {all}", of_flattening("nested"))
    );
    assert_eq!(
        warnings("flattening"),
        format!("Attribute `flattening` needs an argument; known arguments: {all}")
    );
    assert_eq!(
        warnings("flattening(bins, by_with)"),
        format!(
            "{}; did you mean `by_width`? Known arguments: `by_height`, `by_width`",
            of_flattening("by_with")
        )
    );
    assert_eq!(
        warnings("flattening(block, full)"),
        format!("{}; leave this argument out", of_flattening("full"))
    );
    assert_eq!(
        warnings("incremental_flattening(only_intra, no_outer)"),
        "Unknown argument `no_outer` of attribute `incremental_flattening`; leave this argument out"
    );
    assert_eq!(
        warnings("warn(safety_check)"),
        "Unknown argument `safety_check` of attribute `warn`; did you mean `safety_checks`? Known arguments: `safety_checks`"
    );
    assert_eq!(warnings("unroll(4)"), "Attribute `unroll` takes no argument: `#[unroll]`; ");
    assert_eq!(warnings("unsafe(yes)"), "Attribute `unsafe` takes no argument: `#[unsafe]`; ");
    assert_eq!(
        warnings("prop(sise(3))"),
        "Unknown argument `sise` of attribute `prop`; did you mean `size`? Known arguments: `gen`, `shrink`, `size`"
    );
    for known in
        ["flattening(bins)", "incremental_flattening(no_intra)", "trace(xs)", "prop(size(3), gen(g))"]
    {
        assert_eq!(warnings(known), "");
    }
}
