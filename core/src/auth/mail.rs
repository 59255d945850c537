//! The mails about accounts and sign-in, as text and as HTML. A subject never contains a secret, because mail programs
//! show it in lists and notifications.

use super::{CODE_MINUTES, RESET_MINUTES, VERIFY_EMAIL_HOURS};
use crate::text::{escape_html, one_line};

/// Maximum length of a line in a text mail, in characters (RFC 5322, section 2.1.1, recommends 78). Longer words are
/// not broken.
const LINE: usize = 76;

/// The content of a mail. Has no `Debug` on purpose: it may contain a code or a link with a token.
#[derive(Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// One part of a mail's text.
enum Part<'a> {
    Text(&'a str),
    /// A sign-in code on its own line; in HTML in large type.
    Code(&'a str),
    /// A link: its label and its URL. In HTML a button with the label, and the URL below it; in text only the URL.
    Link(&'a str, &'a str),
}

/// Builds a mail: a greeting, the parts, and the brand as a signature.
fn mail(brand: &str, first_name: &str, subject: String, parts: &[Part<'_>]) -> MailText {
    let name = one_line(first_name);
    let hello = if name.is_empty() { "Hello,".to_owned() } else { format!("Hello {name},") };
    let mut text = wrap(&hello);
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
            Part::Text(words) => wrap(words),
            Part::Code(code) => (*code).to_owned(),
            Part::Link(_, address) => (*address).to_owned(),
        });
    }
    text.push_str(&format!("\n\n{brand}\n"));
    html.push_str(&format!("<p>{}</p>\n</body></html>\n", escape_html(brand)));
    MailText { subject, text, html }
}

/// Breaks a paragraph into lines of at most [`LINE`] characters, between words.
fn wrap(paragraph: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= LINE) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

pub fn code_mail(brand: &str, first_name: &str, code: &str) -> MailText {
    let parts = [
        Part::Text(&format!("Use this code to sign in to {brand}:")),
        Part::Code(code),
        Part::Text(&format!("It is valid for {CODE_MINUTES} minutes and can be used once.")),
        Part::Text("If this wasn't you, someone else knows your password. Change it now, and don't share this code."),
    ];
    mail(brand, first_name, format!("Your code to sign in to {brand}"), &parts)
}

pub fn reset_mail(brand: &str, first_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("We received a request to reset your password for {brand}. Choose a new password here:")),
        Part::Link("Set new password", link),
        Part::Text(&format!("The link is valid for {RESET_MINUTES} minutes and can be used once.")),
        Part::Text("If this wasn't you, ignore this email. Your password stays the same."),
    ];
    mail(brand, first_name, format!("Reset your password for {brand}"), &parts)
}

/// Returns the mail that reports a changed password, with a link to recover the account.
pub fn password_changed_mail(brand: &str, first_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("Your password for {brand} was changed, and your other devices were signed out.")),
        Part::Text("If this wasn't you, reset your password now:"),
        Part::Link("Reset password", link),
    ];
    mail(brand, first_name, format!("Your password for {brand} was changed"), &parts)
}

/// Returns the mail that reports a password that an administrator set, with a link to choose another one.
pub fn password_set_by_admin_mail(brand: &str, first_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!(
            "An administrator set a new password for your {brand} account. You were signed out on all devices."
        )),
        Part::Text("Your administrator will give you the password. You can also choose your own:"),
        Part::Link("Set new password", link),
        Part::Text("If you didn't expect this, contact your administrator."),
    ];
    mail(brand, first_name, format!("Your password for {brand} was changed"), &parts)
}

/// Returns the mail to the old address that reports a changed e-mail address.
pub fn email_changed_mail(brand: &str, first_name: &str, new_email: &str) -> MailText {
    let parts = [
        Part::Text(&format!("The email address of your {brand} account was changed to:")),
        Part::Text(new_email),
        Part::Text(
            "If this wasn't you, someone else knows your password. Contact an administrator of your corporation or of the platform now.",
        ),
    ];
    mail(brand, first_name, format!("Your email address for {brand} was changed"), &parts)
}

pub fn email_changed_by_admin_mail(brand: &str, first_name: &str, new_email: &str) -> MailText {
    let parts = [
        Part::Text(&format!(
            "An administrator changed the email address of your {brand} account. Your devices were signed out. The new email address is:"
        )),
        Part::Text(new_email),
        Part::Text("If you didn't expect this, contact your administrator."),
    ];
    mail(brand, first_name, format!("Your email address for {brand} was changed"), &parts)
}

/// Returns the mail to the user for whom an administrator has created an account. It does not contain the password: the
/// administrator tells the user, or the user resets it.
pub fn account_created_mail(brand: &str, first_name: &str, email: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("A {brand} account was created for you. Sign in with this email address:")),
        Part::Text(email),
        Part::Link("Sign in", link),
        Part::Text(
            "Your administrator will give you the password. You can also set your own with 'Forgot password?' on the sign-in page.",
        ),
    ];
    mail(brand, first_name, format!("Your {brand} account"), &parts)
}

pub fn provider_connected_mail(brand: &str, first_name: &str, provider: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("Your {brand} account was connected to {provider}. You can now sign in with {provider}.")),
        Part::Text("If this wasn't you, disconnect it and change your password now:"),
        Part::Link("Open Settings", link),
    ];
    mail(brand, first_name, format!("Your {brand} account was connected to {provider}"), &parts)
}

/// Returns the mail with the link that confirms a sign-up. It repeats nothing from the form, because anyone can enter
/// any address there.
pub fn signup_mail(brand: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("Thank you for registering with {brand}. Please confirm your email address:")),
        Part::Link("Confirm email address", link),
        Part::Text(&format!("The link is valid for {VERIFY_EMAIL_HOURS} hours and can be used once.")),
        Part::Text(
            "A platform administrator will then activate your corporation, and we will email you when you can sign in.",
        ),
        Part::Text("If you didn't register, ignore this email. The registration will be deleted."),
    ];
    mail(brand, "", format!("Confirm your registration with {brand}"), &parts)
}

/// Returns the mail to the owner of an account, because someone has used its e-mail address for another sign-up.
pub fn signup_email_taken_mail(brand: &str, first_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!(
            "Someone tried to register with {brand} using this email address. You already have an account, so nothing was changed."
        )),
        Part::Text("If you forgot your password, reset it here:"),
        Part::Link("Reset password", link),
    ];
    mail(brand, first_name, format!("You already have an account at {brand}"), &parts)
}

/// Returns the mail to a platform administrator about a corporation that waits to be activated.
pub fn corporation_waiting_mail(brand: &str, first_name: &str, corp_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("{} has registered and is waiting for activation:", one_line(corp_name))),
        Part::Link("Review corporation", link),
    ];
    mail(brand, first_name, format!("New corporation waiting for activation at {brand}"), &parts)
}

/// Returns the mail to the Admin of a corporation that signed up and has now been activated.
pub fn corporation_activated_mail(brand: &str, first_name: &str, corp_name: &str, link: &str) -> MailText {
    let parts = [
        Part::Text(&format!("{} is now active at {brand}. You can sign in:", one_line(corp_name))),
        Part::Link("Sign in", link),
    ];
    mail(brand, first_name, format!("Your corporation is active at {brand}"), &parts)
}

/// Returns the mail to the Admin of a corporation whose sign-up was declined. `reason` may be empty.
pub fn corporation_declined_mail(brand: &str, first_name: &str, corp_name: &str, reason: &str) -> MailText {
    let sentence =
        format!("The registration of {} with {brand} was declined, and its data was deleted.", one_line(corp_name));
    let mut parts = vec![Part::Text(&sentence)];
    if !reason.is_empty() {
        parts.push(Part::Text("The reason:"));
        parts.extend(reason.lines().filter(|line| !line.trim().is_empty()).map(Part::Text));
    }
    mail(brand, first_name, format!("Your registration with {brand} was declined"), &parts)
}

/// Returns the test mail of `forecourt mail test`.
pub fn test_mail(brand: &str) -> MailText {
    let sentence = format!("This is a test email. {brand} can send mail.");
    mail(brand, "", format!("Test email from {brand}"), &[Part::Text(&sentence)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_on_its_own_line_and_not_in_the_subject() {
        let mail = code_mail("Forecourt", "Ada", "012345");
        assert_eq!(mail.text.lines().filter(|l| *l == "012345").count(), 1);
        assert!(mail.html.contains(">012345<"));
        assert!(!mail.subject.contains("012345"));
        assert!(mail.text.contains("10 minutes") && mail.text.starts_with("Hello Ada,"));
    }

    #[test]
    fn escapes_names_and_brands_in_html() {
        let mail = code_mail("A & B", "<img src=x onerror=\"x\">", "012345");
        assert!(mail.html.contains("A &amp; B"));
        assert!(mail.html.contains("&lt;img src=x onerror=&quot;x&quot;&gt;"));
        assert!(!mail.html.contains("<img"));
        assert!(mail.text.contains("A & B"));
    }

    #[test]
    fn the_link_is_on_its_own_line_and_not_in_the_subject() {
        let link = "https://cars.example/reset-password?token=abc";
        let mail = reset_mail("Forecourt", "Ada", link);
        assert_eq!(mail.text.lines().filter(|l| *l == link).count(), 1);
        assert!(mail.html.contains(&format!("href=\"{link}\"")));
        assert!(!mail.subject.contains("token") && mail.text.contains("30 minutes"));
    }

    #[test]
    fn the_sign_up_mail_contains_the_link_and_its_lifetime() {
        let link = "https://cars.example/verify-email?token=abc";
        let mail = signup_mail("Forecourt", link);
        assert_eq!(mail.text.lines().filter(|l| *l == link).count(), 1);
        assert!(mail.html.contains(&format!("href=\"{link}\"")));
        assert!(!mail.subject.contains("token") && mail.text.contains("24 hours"));
    }

    #[test]
    fn a_declined_sign_up_is_mailed_with_its_reason_if_there_is_one() {
        let mail = |reason| corporation_declined_mail("Forecourt", "Ada", "Ny & Bil AB", reason);
        let without = mail("").text;
        assert!(
            without.contains("Ny & Bil AB with Forecourt was declined") && !without.contains("reason"),
            "{without}"
        );
        let with = mail("We need <your> number.\n \nPlease register again.");
        let end = "The reason:\n\nWe need <your> number.\n\nPlease register again.\n\nForecourt\n";
        assert!(with.text.ends_with(end), "{}", with.text);
        assert!(
            with.html.contains("<p>We need &lt;your&gt; number.</p>\n<p>Please register again.</p>"),
            "{}",
            with.html
        );
    }

    #[test]
    fn wraps_lines_and_keeps_long_words_whole() {
        let link = format!("https://cars.example/reset-password?token={}", "x".repeat(43));
        for mail in [
            code_mail("Åkes Bil", "Åsa", "012345"),
            signup_email_taken_mail("Åkes Bil", "Åsa", &link),
            account_created_mail("Åkes Bil", "Åsa", "asa@nordbil.example", &link),
            email_changed_by_admin_mail("Åkes Bil", "Åsa", "asa@nordbil.example"),
        ] {
            assert!(mail.text.lines().all(|l| l == link || l.chars().count() <= LINE), "{}", mail.text);
            let longest = mail.text.lines().filter(|l| *l != link).map(|l| l.chars().count()).max();
            assert!(longest > Some(LINE / 2), "{}", mail.text);
        }
        assert_eq!(wrap(&format!("a {} b", "å".repeat(80))), format!("a\n{}\nb", "å".repeat(80)));
        assert_eq!(wrap(&format!("{} b", "å".repeat(74))), format!("{} b", "å".repeat(74)));
        assert_eq!(wrap(&format!("{} b", "å".repeat(75))), format!("{}\nb", "å".repeat(75)));
        assert_eq!(wrap(""), "");
    }

    #[test]
    fn a_name_with_line_breaks_becomes_one_line() {
        let mail = reset_mail("Forecourt", "Ada\r\nBcc: eve@example.com\n\nPay here", "https://x.example/");
        assert!(mail.text.starts_with("Hello Ada Bcc: eve@example.com Pay here,\n"));
    }
}
