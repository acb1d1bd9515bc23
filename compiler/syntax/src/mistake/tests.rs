use ravel_base::FileId;

use super::table::MISTAKES;
use crate::parse;

#[test]
fn every_mistake_has_its_hint() {
    let wrong: Vec<String> = MISTAKES
        .iter()
        .filter_map(|mistake| {
            let diagnostics = parse(FileId(0), mistake.example).diagnostics;
            let help = diagnostics.iter().find_map(|diagnostic| diagnostic.help.as_deref());
            (help != Some(mistake.hint))
                .then(|| format!("{}\n{}\n{diagnostics:#?}", mistake.example, mistake.hint))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs that use words of other languages as ordinary names, each with a syntax error that has another cause.
#[test]
fn names_that_are_words_of_other_languages_give_no_hint() {
    let texts = [
        "def f (range: i64) (fold: i64) = range + )",
        "def f = xs ++ )",
        "def f (use: i32) = use . )",
        "module m = { def f = x ) }",
    ];
    for text in texts {
        for diagnostic in parse(FileId(0), text).diagnostics {
            let help = diagnostic.help.filter(|help| help != "no bracket is open here");
            assert_eq!(help, None, "{text}");
        }
    }
}
