//! Messages to users: a code with parameters, and the English sentence that is made from them. A screen in another
//! language finds its sentence by the code.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A message to a user.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Identifies the sentence. Empty for a text that has no code, such as one that an older server sent.
    pub code: Cow<'static, str>,
    /// The values in the sentence, by name.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub parameters: Parameters,
    /// The English sentence.
    pub text: Cow<'static, str>,
}

/// The parameters of a message.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters(
    #[cfg_attr(feature = "wasm", tsify(type = "Record<string, Parameter>"))]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Parameter>"))]
    Vec<(Cow<'static, str>, Parameter)>,
);

/// A value in a message.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    Number(u64),
    /// A text of the user, which is shown unchanged.
    Text(String),
    /// Names, shown in quotation marks. A number as the last item is the number of further names, which are left out.
    List(Vec<Parameter>),
    /// A word that is itself a message, with its own code and translations.
    Message(Box<Message>),
}

impl Message {
    /// Returns a message without parameters.
    pub const fn new(code: &'static str, text: &'static str) -> Message {
        Message { code: Cow::Borrowed(code), parameters: Parameters(Vec::new()), text: Cow::Borrowed(text) }
    }

    /// Fills a template: `{name}` stands for the parameter of that name, and `{name, number}` for a number with
    /// thousands separators.
    pub fn from_template(
        code: &'static str,
        template: &'static str,
        parameters: Vec<(&'static str, Parameter)>,
    ) -> Message {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (place, after) = after.split_once('}').unwrap_or((after, ""));
            let (name, format) = place.split_once(", ").unwrap_or((place, ""));
            text.push_str(before);
            if let Some((_, value)) = parameters.iter().find(|(found, _)| *found == name) {
                value.write(&mut text, !format.is_empty());
            }
            rest = after;
        }
        text.push_str(rest);
        let parameters = parameters.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect();
        Message { code: Cow::Borrowed(code), parameters: Parameters(parameters), text: Cow::Owned(text) }
    }

    /// Returns a text without a code. It is shown unchanged in every language.
    pub fn without_code(text: impl Into<Cow<'static, str>>) -> Message {
        Message { text: text.into(), ..Message::new("", "") }
    }

    /// Returns the English sentence.
    pub const fn as_str(&self) -> &str {
        match &self.text {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => text.as_str(),
        }
    }
}

impl Parameters {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns each parameter with its name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Parameter)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }
}

impl Serialize for Parameters {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> serde::de::Visitor<'de> for Entries {
            type Value = Parameters;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("parameters")
            }
            fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<Parameters, M::Error> {
                let mut parameters = Vec::new();
                while let Some(entry) = map.next_entry::<String, Parameter>()? {
                    parameters.push((Cow::Owned(entry.0), entry.1));
                }
                Ok(Parameters(parameters))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// Serializes a message as its English text, for types that were in the API before messages had codes.
#[cfg(not(feature = "wasm"))]
pub(crate) mod english_text {
    use super::Message;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(message: &Message, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&message.text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Message, D::Error> {
        String::deserialize(deserializer).map(Message::without_code)
    }
}

/// Serializes a list of messages as their English texts, as [`english_text`] does for one.
#[cfg(not(feature = "wasm"))]
pub(crate) mod english_texts {
    use super::Message;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(messages: &[Message], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(messages.iter().map(Message::as_str))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Message>, D::Error> {
        Vec::<String>::deserialize(deserializer).map(|texts| texts.into_iter().map(Message::without_code).collect())
    }
}

/// Deserializes messages as an empty list in the wasm packages. Only the page's TypeScript reads them, and
/// deserializing them would need a large part of a package.
#[cfg(feature = "wasm")]
pub(crate) fn skip<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Message>, D::Error> {
    serde::de::IgnoredAny::deserialize(deserializer).map(|_| Vec::new())
}

impl Parameter {
    /// Returns a list of all names if there are at most five, otherwise of the first four and the number of the others.
    pub fn list<T: Copy + Into<Parameter>>(names: &[T]) -> Parameter {
        let shown = if names.len() > 5 { 4 } else { names.len() };
        let mut items: Vec<Parameter> = names.iter().take(shown).map(|&name| name.into()).collect();
        if shown < names.len() {
            items.push(Parameter::Number((names.len() - shown) as u64));
        }
        Parameter::List(items)
    }

    fn write(&self, text: &mut String, is_grouped: bool) {
        match self {
            Parameter::Number(number) if is_grouped => push_grouped(text, *number),
            Parameter::Number(number) => push_digits(text, *number),
            Parameter::Text(value) => text.push_str(value),
            Parameter::Message(message) => text.push_str(&message.text),
            Parameter::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    match index {
                        0 => {}
                        _ if index + 1 == items.len() => text.push_str(" and "),
                        _ => text.push_str(", "),
                    }
                    let (before, after) =
                        if matches!(item, Parameter::Number(_)) { ("", " more") } else { ("“", "”") };
                    text.push_str(before);
                    item.write(text, true);
                    text.push_str(after);
                }
            }
        }
    }
}

/// Appends a number in decimal. The standard library's formatting would increase the code size of the import's wasm
/// packages.
fn push_digits(text: &mut String, number: u64) {
    if number >= 10 {
        push_digits(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// Appends a number with thousands separators: "1,048,576".
fn push_grouped(text: &mut String, number: u64) {
    if number < 1_000 {
        return push_digits(text, number);
    }
    push_grouped(text, number / 1_000);
    text.push(',');
    for unit in [100, 10, 1] {
        push_digits(text, number / unit % 10);
    }
}

impl From<u64> for Parameter {
    fn from(number: u64) -> Self {
        Parameter::Number(number)
    }
}

impl From<&str> for Parameter {
    fn from(text: &str) -> Self {
        Parameter::Text(text.to_owned())
    }
}

impl From<&Message> for Parameter {
    fn from(message: &Message) -> Self {
        Parameter::Message(Box::new(message.clone()))
    }
}

impl From<&[&str]> for Parameter {
    fn from(names: &[&str]) -> Self {
        Parameter::list(names)
    }
}

impl From<&[&Message]> for Parameter {
    fn from(names: &[&Message]) -> Self {
        Parameter::List(names.iter().map(|name| Parameter::from(*name)).collect())
    }
}

impl From<&Message> for Message {
    fn from(message: &Message) -> Self {
        message.clone()
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.text.into_owned()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Compares the English sentence with a text.
impl PartialEq<str> for Message {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Compares the English sentence with a text.
impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

/// Returns an ASCII text in lower case, at compile time.
pub(crate) const fn lower_case<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut index = 0;
    while index < N {
        bytes[index] = text.as_bytes()[index].to_ascii_lowercase();
        index += 1;
    }
    bytes
}

/// Defines messages, one per line. A message's code is the prefix, which names the feature, and the constant's or
/// function's name in lower case. The list `ALL` is for the test that compares the codes with the translations.
macro_rules! messages {
    ($prefix:literal; $($rest:tt)*) => {
        $crate::message::messages! { @items $prefix [] $($rest)* }
    };
    (@items $prefix:literal [$($all:tt)*] $(#[$doc:meta])* $name:ident = $text:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: &$crate::message::Message =
            &$crate::message::Message::new($crate::message::messages!(@code $prefix $name), $text);
        $crate::message::messages! { @items $prefix [$($all)* ($name $text)] $($rest)* }
    };
    (
        @items $prefix:literal [$($all:tt)*]
        $(#[$doc:meta])* fn $name:ident($($parameter:ident: $kind:ty),*) = $text:literal; $($rest:tt)*
    ) => {
        $(#[$doc])*
        pub fn $name($($parameter: $kind),*) -> $crate::message::Message {
            $crate::message::Message::from_template(
                $crate::message::messages!(@code $prefix $name),
                $text,
                vec![$((stringify!($parameter), $parameter.into())),*],
            )
        }
        $crate::message::messages! { @items $prefix [$($all)* ($name $text)] $($rest)* }
    };
    (@items $prefix:literal [$(($name:ident $text:literal))*]) => {
        /// The code and the English sentence of each message.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$(($crate::message::messages!(@code $prefix $name), $text)),*];
    };
    (@code $prefix:literal $name:ident) => {{
        const NAME: &str = concat!($prefix, stringify!($name));
        const CODE: [u8; NAME.len()] = $crate::message::lower_case(NAME);
        match str::from_utf8(&CODE) {
            Ok(code) => code,
            Err(_) => panic!("the name isn't ASCII"),
        }
    }};
}
pub(crate) use messages;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    messages! {
        "test.";
        WORD = "a word";
        fn counts(plain: u64, grouped: u64) = "{plain} and {grouped, number}";
        fn names(word: &Message, left_out: &[&str], name: &str) = "{word} of {name}: {left_out}";
    }

    proptest! {
        #[test]
        fn a_plain_number_is_formatted_like_the_standard_library(number in prop_oneof![0_u64..2_000, any::<u64>()]) {
            prop_assert_eq!(counts(number, 0).to_string(), format!("{number} and 0"));
        }
    }

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 512, 1_000, 1_048_576, 20_000_007].map(|number| counts(0, number).to_string());
        assert_eq!(texts, ["0 and 0", "0 and 512", "0 and 1,000", "0 and 1,048,576", "0 and 20,000,007"]);
    }

    #[test]
    fn the_code_is_the_name_in_lower_case_behind_the_prefix() {
        assert_eq!(ALL.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["test.word", "test.counts", "test.names"]);
        assert_eq!((&*WORD.code, &*counts(1, 2).code), ("test.word", "test.counts"));
    }

    #[test]
    fn a_message_is_stored_and_read_as_json() {
        let message = names(WORD, &["A", "B", "C", "D", "E", "F"], "{left_out}");
        assert_eq!(message, "a word of {left_out}: “A”, “B”, “C”, “D” and 2 more");
        let json = serde_json::to_string(&message).unwrap();
        let parameters =
            r#"{"word":{"code":"test.word","text":"a word"},"left_out":["A","B","C","D",2],"name":"{left_out}"}"#;
        assert!(json.contains(parameters), "{json}");
        assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message);
    }
}
