//! The mails of signing in: their words, as text and as HTML. A subject never holds a secret, since it is shown where
//! a mail isn't opened.

use super::CODE_MINUTES;
use crate::text::escape_html;

/// What a mail says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// The mail with a sign-in code. The code stands on a line of its own, so that it is easy to see and to copy.
pub fn code_mail(brand: &str, first_name: &str, code: &str) -> MailText {
    let hello = if first_name.trim().is_empty() { "Hello,".to_owned() } else { format!("Hello {first_name},") };
    let intro = format!("This is your code to sign in to {brand}:");
    let valid = format!("It is valid for {CODE_MINUTES} minutes and can be used once.");
    let warning = "If this wasn't you, somebody knows your password: change it soon, and give this code to nobody.";
    let text = format!("{hello}\n\n{intro}\n\n{code}\n\n{valid}\n\n{warning}\n\n{brand}\n");
    let [hello, intro, code, brand_html] = [&hello, &intro, code, brand].map(escape_html);
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"></head>\n\
         <body style=\"margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5\">\n\
         <p>{hello}</p>\n<p>{intro}</p>\n\
         <p style=\"font-size:32px;font-weight:bold;letter-spacing:6px;margin:24px 0\">{code}</p>\n\
         <p>{valid}</p>\n<p>{}</p>\n<p>{brand_html}</p>\n</body></html>\n",
        escape_html(warning)
    );
    MailText { subject: format!("Your code to sign in to {brand}"), text, html }
}

/// The mail that proves that mail arrives.
pub fn test_mail(brand: &str) -> MailText {
    let text = format!("This mail was sent to see whether {brand} can send mail. It can.");
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"></head>\n<body>\n<p>{}</p>\n</body></html>\n",
        escape_html(&text)
    );
    MailText { subject: format!("A test mail from {brand}"), text: format!("{text}\n"), html }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_stands_on_its_own_line_and_not_in_the_subject() {
        let mail = code_mail("Forecourt", "Ada", "012345");
        assert_eq!(mail.text.lines().filter(|l| *l == "012345").count(), 1);
        assert!(mail.html.contains(">012345<"));
        assert!(!mail.subject.contains("012345"));
        assert!(mail.text.contains("10 minutes") && mail.text.starts_with("Hello Ada,"));
    }

    #[test]
    fn names_and_brands_are_text_in_html() {
        let mail = code_mail("A & B", "<img src=x onerror=\"x\">", "012345");
        assert!(mail.html.contains("A &amp; B"));
        assert!(mail.html.contains("&lt;img src=x onerror=&quot;x&quot;&gt;"));
        assert!(!mail.html.contains("<img"));
        assert!(mail.text.contains("A & B"));
    }
}
