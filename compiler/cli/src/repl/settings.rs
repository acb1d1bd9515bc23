//! The settings of a session.

use std::fmt::Write as _;

use super::show::LEAST;

/// The values of the settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of elements of an array that are shown.
    pub elements: usize,
    /// The number of threads of the CPU backend; without it, one for each processor.
    pub threads: Option<usize>,
    /// Whether times are printed after every result.
    pub time: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { elements: 20, threads: None, time: false }
    }
}

/// A setting.
struct Setting {
    name: &'static str,
    about: &'static str,
    show: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Option<()>,
}

const SETTINGS: [Setting; 3] = [
    Setting {
        name: "elements",
        about: "the number of elements of an array that are shown, at least 3",
        show: |settings| settings.elements.to_string(),
        set: |settings, value| {
            settings.elements = value.parse().ok().filter(|elements| *elements >= LEAST)?;
            Some(())
        },
    },
    Setting {
        name: "threads",
        about: "the number of threads of the CPU backend, up to 1024, or `all`",
        show: |settings| settings.threads.map_or("all".to_owned(), |threads| threads.to_string()),
        set: |settings, value| {
            settings.threads = match value {
                "all" => None,
                value => Some(value.parse().ok().filter(|threads| (1..=1024).contains(threads))?),
            };
            Some(())
        },
    },
    Setting {
        name: "time",
        about: "`on` or `off`: print the compile time and run time after every result",
        show: |settings| if settings.time { "on" } else { "off" }.to_owned(),
        set: |settings, value| {
            settings.time = match value {
                "on" => true,
                "off" => false,
                _ => return None,
            };
            Some(())
        },
    },
];

/// The names of the settings.
pub fn names() -> Vec<String> {
    SETTINGS.iter().map(|setting| setting.name.to_owned()).collect()
}

impl Settings {
    /// All settings with their values.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Setting { name, about, show, .. } in &SETTINGS {
            let _ = writeln!(text, "{name:9} {:5} {about}", show(self));
        }
        text
    }

    /// Changes a setting, given `NAME VALUE`.
    ///
    /// # Errors
    /// An unknown name, or an invalid value.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            return Err(format!("there is no setting `{name}`; the settings are `{}`", names().join("`, `")));
        };
        (setting.set)(self, value.trim())
            .ok_or_else(|| format!("`{}` is not a value of `{name}`: {}", value.trim(), setting.about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_take_only_valid_values() {
        let mut settings = Settings::default();
        for right in ["elements 3", "threads 2", "time  on"] {
            assert_eq!(settings.set(right), Ok(()), "{right}");
        }
        assert_eq!((settings.elements, settings.threads, settings.time), (3, Some(2), true));
        for wrong in [
            "elements",
            "elements -1",
            "elements 2",
            "threads 0",
            "threads 1025",
            "time maybe",
            "colour on",
            "",
        ] {
            assert!(settings.set(wrong).is_err(), "{wrong}");
        }
        assert_eq!((settings.elements, settings.threads, settings.time), (3, Some(2), true));
        assert_eq!(settings.set("threads all"), Ok(()));
        assert!(settings.text().contains("threads   all   the number"));
    }
}
