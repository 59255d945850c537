//! The attributes of an XML tag.

#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes<'a>(pub &'a [u8]);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.0.trim_ascii_start();
        let equals = rest.iter().position(|&b| b == b'=')?;
        let (name, rest) = (rest[..equals].trim_ascii_end(), rest[equals + 1..].trim_ascii_start());
        let (&quote, rest) = rest.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
        let end = rest.iter().position(|&b| b == quote)?;
        self.0 = &rest[end + 1..];
        Some((name, &rest[..end]))
    }
}
