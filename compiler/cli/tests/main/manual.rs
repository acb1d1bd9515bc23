//! The self-description of the command line: version, completions, manual page.

use std::path::Path;

use crate::support::Folder;

#[test]
fn the_manual_page_is_up_to_date() {
    let page = Folder::new("manual").ravel(&["man"], "");
    assert_eq!((page.code, page.err.as_str()), (Some(0), ""));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ravel.1");
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    if known == page.text() {
        return;
    }
    assert!(
        std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always"),
        "docs/ravel.1 is out of date: INSTA_UPDATE=always cargo test --workspace manual updates it"
    );
    std::fs::write(file, page.text()).expect("the documentation can be written");
}

#[test]
fn the_manual_page_has_every_command_and_its_notes() {
    let page = Folder::new("manual_parts").ravel(&["man"], "");
    for command in commands() {
        let section = format!("\n.SH \"RAVEL {}\"\n", command.to_uppercase());
        assert!(page.text().contains(&section), "no section about {command}");
    }
    assert!(page.text().contains("\n\\&  ravel check \\-\\-explain E0201\n"));
}

/// The commands as `ravel --help` lists them.
fn commands() -> Vec<String> {
    let help = Folder::new("commands").ravel(&["--help"], "");
    let list = help.text().lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    // Continuation lines are indented.
    let names = list.filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty());
    let names: Vec<String> = names.filter(|name| *name != "help").map(str::to_owned).collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

/// A line of a paragraph is filled as far as possible.
#[test]
fn the_notes_of_a_command_are_wrapped_once() {
    let folder = Folder::new("notes");
    let mut wrapped = 0;
    for command in commands() {
        let help = folder.ravel(&["help", &command], "");
        let notes = help.text().split_once("Print help").map_or("", |(_, notes)| notes);
        let lines: Vec<&str> = notes.lines().skip(1).collect();
        for pair in lines.windows(2) {
            let [line, next] = [pair[0], pair[1]];
            let continues =
                !next.is_empty() && !next.starts_with(' ') && !line.is_empty() && !line.starts_with(' ');
            let word = next.split(' ').next().unwrap_or("");
            assert!(!continues || line.len() + 1 + word.len() > 100, "{command}: `{line}` ends early");
            wrapped += usize::from(continues);
        }
    }
    assert!(wrapped > 10, "the notes have gone");
}

#[test]
fn the_readme_has_every_command() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(file).expect("there is a README");
    for command in commands() {
        assert!(
            readme.contains(&format!("\nravel {command} ")),
            "README.md has no line about `ravel {command}`"
        );
    }
}

#[test]
fn each_shell_has_its_completions() {
    let folder = Folder::new("completions");
    for (shell, part) in
        [("bash", "complete -F _ravel"), ("zsh", "#compdef ravel"), ("fish", "complete -c ravel")]
    {
        let script = folder.ravel(&["completions", shell], "");
        assert_eq!((script.code, script.err.as_str()), (Some(0), ""));
        assert!(script.text().contains(part) && script.text().contains("strict-futhark"), "{shell}");
    }
    folder.ravel(&["completions", "csh"], "").fails_with(2, "invalid value 'csh'");
    folder.ravel(&["completions"], "").fails_with(2, "required arguments were not provided");
}

#[test]
fn the_version_names_backends_and_target() {
    let folder = Folder::new("version");
    let short = concat!("ravel ", env!("CARGO_PKG_VERSION"), "\n");
    folder.ravel(&["-V"], "").gives(short);
    let target = format!("target: {}-{}\n", std::env::consts::ARCH, std::env::consts::OS);
    folder.ravel(&["--version"], "").gives(&format!("{short}backends: cpu, gpu, interp, model\n{target}"));
}
