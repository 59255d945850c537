//! Validation of e-mail addresses.

/// Returns whether a text is an e-mail address: ASCII letters, digits and `._-+%` before the @, then a domain whose
/// last label consists of two or more letters. At most 254 characters (RFC 5321).
pub fn is_email(text: &str) -> bool {
    let text = text.as_bytes();
    let local = text.iter().position(|&b| class(b) & LOCAL == 0).unwrap_or_default();
    let Some((b'@', domain)) = text.get(local..).and_then(<[u8]>::split_first) else { return false };
    // `before` is the previous byte, to reject labels that begin or end with a hyphen. `top` is the top-level domain.
    let (mut before, mut top) = (b'.', None);
    for (i, &b) in domain.iter().enumerate() {
        if class(b) & LABEL == 0 {
            let follows = class(before) & LABEL != 0;
            match b {
                b'.' if follows => top = domain.get(i + 1..),
                b'-' if follows || before == b'-' => {}
                _ => return false,
            }
        }
        before = b;
    }
    let is_top = |top: &[u8]| top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic);
    text.len() <= 254 && local > 0 && top.is_some_and(is_top)
}

/// The bit of [`class`] for bytes that are allowed before the @.
const LOCAL: u8 = 1;
/// The bit of [`class`] for letters and digits, which are allowed anywhere in a domain label. Hyphens are checked
/// separately.
const LABEL: u8 = 2;

/// Returns which of the bits [`LOCAL`] and [`LABEL`] a byte has. A lookup table, because an import checks every address
/// of a large file.
const fn class(b: u8) -> u8 {
    const CLASSES: [u8; 256] = {
        let (mut classes, mut b) = ([0; 256], 0_u8);
        while b < 128 {
            if b.is_ascii_alphanumeric() {
                classes[b as usize] = LOCAL | LABEL;
            } else if matches!(b, b'.' | b'_' | b'-' | b'+' | b'%') {
                classes[b as usize] = LOCAL;
            }
            b += 1;
        }
        classes
    };
    CLASSES[b as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn accepts_valid_and_rejects_invalid_addresses() {
        for good in ["a@b.se", "a.b-c_d+e%f@x-y.example.com", "A1@b2.CO"] {
            assert!(is_email(good), "{good}");
        }
        let long = format!("{}@b.se", "a".repeat(250));
        for bad in [
            "", "a", "a@", "@b.se", "a@b", "a@b.c", "a@b.c1", "a b@c.se", "a@b..se", "a@-b.se", "å@b.se", "a@b@c.se",
            &long,
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            is_email(&text);
        }
        #[test]
        fn agrees_with_a_naive_implementation(text in "([a@.-]|[bZ9%_+]|[å ,]){0,12}|[a-z.]{1,4}@[a-z.-]{0,6}\\.[a-z]{1,3}") {
            let label = |l: &str| {
                !l.is_empty()
                    && !l.starts_with('-')
                    && !l.ends_with('-')
                    && l.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            };
            let expected = text.split_once('@').and_then(|(local, domain)| {
                let (host, top) = domain.rsplit_once('.')?;
                let is_local = |c: char| c.is_ascii_alphanumeric() || "._-+%".contains(c);
                let is_top = top.len() >= 2 && top.chars().all(|c| c.is_ascii_alphabetic());
                Some(!local.is_empty() && local.chars().all(is_local) && host.split('.').all(label) && is_top)
            });
            prop_assert_eq!(is_email(&text), expected.unwrap_or(false), "{}", text);
        }
        #[test]
        fn an_accepted_email_has_one_at_sign_and_no_space(text in "[a-z@. +%-]{0,12}") {
            if is_email(&text) {
                prop_assert_eq!(text.matches('@').count(), 1);
                prop_assert!(!text.contains(' '));
            }
        }
    }
}
