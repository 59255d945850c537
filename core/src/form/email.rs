//! Validation of e-mail addresses.

/// Maximum length of the part before the @, and of an address, in bytes (RFC 5321).
const LOCAL_MAX: usize = 64;
const ADDRESS_MAX: usize = 254;
/// Maximum length of a domain label, in bytes (RFC 1035).
const LABEL_MAX: usize = 63;

/// Returns whether a text is an e-mail address to which mail can be sent: ASCII letters, digits and `._-+%` before the
/// @, with each dot between two other characters, then a domain whose last label consists of two or more letters.
pub fn is_email(text: &str) -> bool {
    let text = text.as_bytes();
    let local = text.iter().position(|&b| class(b) & LOCAL == 0).unwrap_or_default();
    let Some((b'@', domain)) = text.get(local..).and_then(<[u8]>::split_first) else { return false };
    let has_parts = |local: &[u8]| local.split(|&b| b == b'.').all(|part| !part.is_empty());
    let is_local = local <= LOCAL_MAX && text.get(..local).is_some_and(has_parts);
    // `before` is the previous byte, to reject labels that begin or end with a hyphen. `top` is the top-level domain.
    let (mut before, mut top, mut label_start) = (b'.', None, 0);
    for (i, &b) in domain.iter().enumerate() {
        if class(b) & LABEL == 0 {
            let follows = class(before) & LABEL != 0;
            match b {
                b'.' if follows && i - label_start <= LABEL_MAX => {
                    label_start = i + 1;
                    top = domain.get(label_start..);
                }
                b'-' if follows || before == b'-' => {}
                _ => return false,
            }
        }
        before = b;
    }
    let is_top = |top: &[u8]| (2..=LABEL_MAX).contains(&top.len()) && top.iter().all(u8::is_ascii_alphabetic);
    text.len() <= ADDRESS_MAX && is_local && top.is_some_and(is_top)
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
        let address = |local: usize, label: usize, top: usize| {
            format!("{}@{}.{}", "a".repeat(local), "b".repeat(label), "c".repeat(top))
        };
        for good in ["a@b.se", "a.b-c_d+e%f@x-y.example.com", "A1@b2.CO", &address(64, 63, 63)] {
            assert!(is_email(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "a@",
            "@b.se",
            "a@b",
            "a@b.c",
            "a@b.c1",
            "a b@c.se",
            "a@b..se",
            "a@-b.se",
            "å@b.se",
            "a@b@c.se",
            ".a@b.se",
            "a..b@c.se",
            "a.@b.se",
            ".@b.se",
            &address(65, 1, 2),
            &address(1, 64, 2),
            &address(1, 1, 64),
            &format!("a@{}.se", ["b"; 130].join(".")),
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
                let is_dotted = local.split('.').any(str::is_empty);
                Some(!is_dotted && local.chars().all(is_local) && host.split('.').all(label) && is_top)
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
