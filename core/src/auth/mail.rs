//! The mails of signing in: their words, as text and as HTML. A subject never holds a secret, since it is shown where
//! a mail isn't opened.

use super::{CODE_MINUTES, RESET_MINUTES, VERIFY_EMAIL_HOURS};
use crate::text::{escape_html, one_line};

/// The longest line of a text, in characters, save for a word that is longer: what a terminal shows whole, and what RFC
/// 5322 (2.1.1) asks for.
const LINE: usize = 76;

/// What a mail says. `Debug` is left out on purpose: it may hold a code.
#[derive(Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// One paragraph of a mail.
enum Part<'a> {
    Text(&'a str),
    /// Stands on a line of its own, large, so that it is easy to see and to copy.
    Code(&'a str),
    /// An address on a line of its own, and in HTML a button with these words too.
    Link(&'a str, &'a str),
}

/// The mail as text and as HTML, with a greeting before and the brand after.
fn mail(brand: &str, first_name: &str, subject: String, parts: &[Part<'_>]) -> MailText {
    let name = one_line(first_name);
    let hello = if name.is_empty() { "Hello,".to_owned() } else { format!("Hello {name},") };
    let mut text = in_lines(&hello);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"></head>\n\
         <body style=\"margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5\">\n<p>{}</p>\n",
        escape_html(&hello)
    );
    for part in parts {
        let (Part::Text(words) | Part::Code(words) | Part::Link(words, _)) = part;
        let words = escape_html(words);
        match part {
            Part::Text(_) => html.push_str(&format!("<p>{words}</p>\n")),
            Part::Code(_) => html.push_str(&format!(
                "<p style=\"font-size:32px;font-weight:bold;letter-spacing:6px;margin:24px 0\">{words}</p>\n"
            )),
            Part::Link(_, address) => {
                let address = escape_html(address);
                html.push_str(&format!(
                    "<p style=\"margin:24px 0\"><a href=\"{address}\" style=\"display:inline-block;padding:12px 20px;\
                     border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:bold;text-decoration:none\">{words}</a></p>\n\
                     <p style=\"font-size:13px;word-break:break-all\">{address}</p>\n"
                ));
            }
        }
        text.push_str("\n\n");
        text.push_str(&match part {
            Part::Text(words) => in_lines(words),
            Part::Code(code) => (*code).to_owned(),
            Part::Link(_, address) => (*address).to_owned(),
        });
    }
    text.push_str(&format!("\n\n{brand}\n"));
    html.push_str(&format!("<p>{}</p>\n</body></html>\n", escape_html(brand)));
    MailText { subject, text, html }
}

/// A paragraph, broken between words.
fn in_lines(paragraph: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= LINE) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The mail with a sign-in code.
pub fn code_mail(brand: &str, first_name: &str, code: &str) -> MailText {
    let parts = [
        Part::Text(&format!("This is your code to sign in to {brand}:")),
        Part::Code(code),
        Part::Text(&format!("It is valid for {CODE_MINUTES} minutes and can be used once.")),
        Part::Text("If this wasn't you, somebody knows your password: change it soon, and give this code to nobody."),
    ];
    mail(brand, first_name, format!("Your code to sign in to {brand}"), &parts)
}

/// The mail with the link to choose a new password.
pub fn reset_mail(brand: &str, first_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("Somebody, most likely you, asked for a new password for {brand}. Choose it here:")),
        Part::Link("Set New Password", link),
        Part::Text(&format!("The link is valid for {RESET_MINUTES} minutes and can be used once.")),
        Part::Text("If this wasn't you, do nothing: your password stays as it is."),
    ];
    mail(brand, first_name, format!("Choose a new password for {brand}"), &parts)
}

/// Tells that the password was changed, and how to take the account back.
pub fn password_changed_mail(brand: &str, first_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("Your password for {brand} was changed, and your other devices were signed out.")),
        Part::Text("If this wasn't you, choose a new password at once:"),
        Part::Link("Choose a new password", link),
    ];
    mail(brand, first_name, format!("Your password for {brand} was changed"), &parts)
}

/// Tells the old address that the account has another one now.
pub fn email_changed_mail(brand: &str, first_name: &str, new_email: &str) -> MailText {
    let parts = [
        Part::Text(&format!("The email of your account at {brand} was changed. From now on it is:")),
        Part::Text(new_email),
        Part::Text("If this wasn't you, tell your administrator at once: your password was used to change it."),
    ];
    mail(brand, first_name, format!("Your email for {brand} was changed"), &parts)
}

/// As [`email_changed_mail`], where it was somebody who manages users.
pub fn email_replaced_mail(brand: &str, first_name: &str, new_email: &str) -> MailText {
    let parts = [
        Part::Text(&format!(
            "An administrator changed the email of your account at {brand}, and your devices were signed out. From now on it is:"
        )),
        Part::Text(new_email),
        Part::Text("If you didn't expect this, ask your administrator."),
    ];
    mail(brand, first_name, format!("Your email for {brand} was changed"), &parts)
}

/// Tells somebody that an account was made for them. It holds no password: who made the account hands that over, or the
/// person chooses one.
pub fn account_made_mail(brand: &str, first_name: &str, email: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("An account at {brand} was made for you. You sign in to it with this email:")),
        Part::Text(email),
        Part::Link("Sign in", link),
        Part::Text(
            "Your administrator tells you the password. You can also choose one yourself by 'Forgot password?' there.",
        ),
    ];
    mail(brand, first_name, format!("Your account at {brand}"), &parts)
}

/// Tells that the account can be signed in to with another provider too.
pub fn connected_mail(brand: &str, first_name: &str, provider: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!(
            "Your account at {brand} was connected with {provider}. You can sign in with it from now on."
        )),
        Part::Text("If this wasn't you, disconnect it and change your password at once:"),
        Part::Link("Open Settings", link),
    ];
    mail(brand, first_name, format!("Your account at {brand} was connected with {provider}"), &parts)
}

/// Returns the mail with the link that confirms a sign-up. It contains no word of the form, because anybody can have it
/// sent to any address.
pub fn signup_mail(brand: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("Thank you for registering with {brand}. Please confirm your email address:")),
        Part::Link("Confirm Email Address", link),
        Part::Text(&format!("The link is valid for {VERIFY_EMAIL_HOURS} hours and can be used once.")),
        Part::Text("Then an administrator of the platform activates your corporation, and you can sign in."),
        Part::Text("If you did not register, do nothing: the registration is deleted by itself."),
    ];
    mail(brand, "", format!("Confirm your registration with {brand}"), &parts)
}

/// Tells whoever has an account already that somebody tried to register with its email.
pub fn signup_taken_mail(brand: &str, first_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!(
            "Somebody, perhaps you, tried to register with {brand} using this email. It has an account already, so nothing was changed."
        )),
        Part::Text("If you forgot your password, choose a new one:"),
        Part::Link("Choose a new password", link),
    ];
    mail(brand, first_name, format!("Your registration with {brand}"), &parts)
}

/// Tells a platform administrator that a corporation waits to be switched on.
pub fn signup_notice_mail(brand: &str, first_name: &str, corp_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("{} has registered and waits for you to switch it on:", one_line(corp_name))),
        Part::Link("Look at it", link),
    ];
    mail(brand, first_name, format!("A new corporation waits at {brand}"), &parts)
}

/// The mail that proves that mail arrives.
pub fn test_mail(brand: &str) -> MailText {
    let sentence = format!("This mail was sent to see whether {brand} can send mail. It can.");
    mail(brand, "", format!("A test mail from {brand}"), &[Part::Text(&sentence)])
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

    #[test]
    fn a_link_stands_alone_on_its_line_and_not_in_the_subject() {
        let link = "https://cars.example/reset-password?token=abc";
        let mail = reset_mail("Forecourt", "Ada", link);
        assert_eq!(mail.text.lines().filter(|l| *l == link).count(), 1);
        assert!(mail.html.contains(&format!("href=\"{link}\"")));
        assert!(!mail.subject.contains("token") && mail.text.contains("30 minutes"));
    }

    #[test]
    fn the_mail_of_a_sign_up_has_the_link_and_says_how_long_it_works() {
        let link = "https://cars.example/verify-email?token=abc";
        let mail = signup_mail("Forecourt", link);
        assert_eq!(mail.text.lines().filter(|l| *l == link).count(), 1);
        assert!(mail.html.contains(&format!("href=\"{link}\"")));
        assert!(!mail.subject.contains("token") && mail.text.contains("24 hours"));
    }

    #[test]
    fn a_text_fits_a_terminal_and_a_long_word_stays_whole() {
        let link = format!("https://cars.example/reset-password?token={}", "x".repeat(43));
        for mail in [
            code_mail("Åkes Bil", "Åsa", "012345"),
            signup_taken_mail("Åkes Bil", "Åsa", &link),
            account_made_mail("Åkes Bil", "Åsa", "asa@nordbil.example", &link),
            email_replaced_mail("Åkes Bil", "Åsa", "asa@nordbil.example"),
        ] {
            assert!(mail.text.lines().all(|l| l == link || l.chars().count() <= LINE), "{}", mail.text);
            let longest = mail.text.lines().filter(|l| *l != link).map(|l| l.chars().count()).max();
            assert!(longest > Some(LINE / 2), "{}", mail.text);
        }
        assert_eq!(in_lines(&format!("a {} b", "å".repeat(80))), format!("a\n{}\nb", "å".repeat(80)));
        assert_eq!(in_lines(&format!("{} b", "å".repeat(74))), format!("{} b", "å".repeat(74)));
        assert_eq!(in_lines(&format!("{} b", "å".repeat(75))), format!("{}\nb", "å".repeat(75)));
        assert_eq!(in_lines(""), "");
    }

    #[test]
    fn a_name_of_many_lines_stays_one_line() {
        let mail = reset_mail("Forecourt", "Ada\r\nBcc: eve@example.com\n\nPay here", "https://x.example/");
        assert!(mail.text.starts_with("Hello Ada Bcc: eve@example.com Pay here,\n"));
    }
}
