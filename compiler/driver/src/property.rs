//! The attribute `#[prop(…)]` of an entry point: how arguments for a property are generated.
//!
//! A property is an entry point that should return true for every argument. The attribute has Futhark's published form. It may
//! name a generator, a shrinker, and the size of the arguments: `#[prop(gen(f), shrink(g), size(10))]`.

use ravel_syntax::ast::{Attribute, AttributeNode, Dec, Keyword};

use crate::source::Source;

/// The default size of generated arguments.
const SIZE: i64 = 50;

/// How the arguments of a property are generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The entry point that generates the arguments from a size and a seed.
    pub generator: Option<String>,
    /// The entry point that makes a smaller argument from an argument and a random number.
    pub shrinker: Option<String>,
    /// The size of the generated arguments.
    pub size: i64,
}

/// Reads the attribute of a property.
///
/// # Errors
/// There is no such entry point, it has no attribute, or the attribute is malformed.
pub fn property(source: &Source, name: &str) -> Result<Property, String> {
    let file = source.files().parsed.last();
    let decs = file.iter().flat_map(|file| &file.program.decs);
    let mut entries = decs.filter_map(|dec| match dec {
        Dec::Value(value) if value.keyword == Keyword::Entry && value.name.node.as_str() == name => {
            Some(value)
        }
        _ => None,
    });
    let entry = entries.next_back().ok_or_else(|| format!("no entry point `{name}`"))?;
    let attribute = entry.attributes.iter().find_map(|attribute| match &attribute.node {
        AttributeNode::Word(word) if word.as_str() == "prop" => Some(&[][..]),
        AttributeNode::Call(word, arguments) if word.as_str() == "prop" => Some(arguments),
        _ => None,
    });
    let arguments = attribute.ok_or_else(|| format!("write `#[prop]` in front of `entry {name}`"))?;
    let mut property = Property { generator: None, shrinker: None, size: SIZE };
    for argument in arguments {
        read(argument, &mut property).ok_or_else(|| {
            format!("the attribute `prop` of `{name}` takes `gen(f)`, `shrink(f)` and `size(N)`")
        })?;
    }
    Ok(property)
}

fn read(argument: &Attribute, property: &mut Property) -> Option<()> {
    let AttributeNode::Call(word, inner) = &argument.node else { return None };
    let [Attribute { node, .. }] = &inner[..] else { return None };
    match (word.as_str(), node) {
        ("gen", AttributeNode::Word(name)) => property.generator = Some(name.to_string()),
        ("shrink", AttributeNode::Word(name)) => property.shrinker = Some(name.to_string()),
        ("size", AttributeNode::Number(size)) => property.size = i64::try_from(*size).ok()?,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Property, String> {
        property(&Source::new("test.dsl", text), "p")
    }

    #[test]
    fn arguments_of_the_attribute_are_optional() {
        let plain = of("#[prop]\nentry p (x: i32) = true");
        assert_eq!(plain, Ok(Property { generator: None, shrinker: None, size: SIZE }));
        let full = of("#[prop(gen(f), shrink(g), size(3))]\nentry p (x: i32) = true");
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(full, Ok(Property { generator: named("f"), shrinker: named("g"), size: 3 }));
    }

    #[test]
    fn malformed_properties_are_refused() {
        assert!(of("#[prop]\ndef p (x: i32) = true").unwrap_err().contains("no entry point"));
        assert!(of("entry p (x: i32) = true").unwrap_err().contains("#[prop]"));
        for wrong in ["gen", "gen(f, g)", "gen(1)", "size(f)", "size(9223372036854775808)", "grow(f)"] {
            let refusal = of(&format!("#[prop({wrong})]\nentry p (x: i32) = true"));
            assert!(refusal.unwrap_err().contains("takes `gen(f)`"), "{wrong}");
        }
    }
}
