//! The two delivery targets of mail: a mail server, or the outbox folder.

use super::message::MailMessage;
use crate::platform::Failure;
use crate::platform::config::PlatformConfig;
use forecourt_core::text::one_line;
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::PoolConfig;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use std::error::Error;
use std::io;
use std::iter::successors;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use tokio::fs;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;
use uuid::Uuid;

/// Timeout for connecting to the mail server. The library has no other; [`ATTEMPT_TIMEOUT`] limits the rest.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Words of a mail server's response with more characters are removed before it is logged, because they may be tokens.
const MAX_WORD: usize = 30;
/// Timeout of a whole attempt to deliver a mail, including the mail server's responses.
pub(super) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(45);

/// Composes mails and delivers them to the mail server or the outbox.
pub(super) struct Mailer {
    from: Mailbox,
    target: Target,
}

enum Target {
    Server(AsyncSmtpTransport<Tokio1Executor>),
    Outbox(PathBuf),
}

/// The outcome of an attempt to deliver a mail.
pub(super) enum Outcome {
    Sent,
    /// The mail was written to the outbox folder: the path of its file.
    Kept(PathBuf),
    /// The mail can never be delivered: the reason.
    Failed(String),
    /// The attempt failed and will be repeated: the reason.
    Retry(String),
}

impl Mailer {
    pub fn new(config: &PlatformConfig) -> Result<Self, Failure> {
        let from = config.mail_from.parse().map_err(|e| format!("FORECOURT_MAIL_FROM can't be used: {e}"))?;
        let target = match &config.smtp_url {
            None => Target::Outbox(config.data_dir.join("outbox")),
            Some(url) => {
                let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose_secret())
                    .map_err(|e| format!("FORECOURT_SMTP_URL can't be used: {}", describe_error(&e)))?;
                let pool = PoolConfig::new().max_size(4);
                Target::Server(server.timeout(Some(CONNECT_TIMEOUT)).pool_config(pool).build())
            }
        };
        Ok(Mailer { from, target })
    }

    /// Builds the MIME message. Names and subject are set through types that prevent header injection. The id is the
    /// same in every attempt, so that a mailbox can recognize a duplicate.
    pub fn compose(&self, message: &MailMessage, id: Uuid, created_at: i64) -> Result<Message, String> {
        let address = message.to.parse().map_err(|_| "the address can't be used".to_owned())?;
        let name = one_line(&message.to_name);
        let date = UNIX_EPOCH + Duration::from_micros(created_at.unsigned_abs());
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new((!name.is_empty()).then_some(name), address))
            .subject(one_line(&message.subject))
            .date(date)
            .message_id(Some(format!("<{}@{}>", id.simple(), self.from.email.domain())))
            .multipart(MultiPart::alternative_plain_html(
                message.text.expose_secret().clone(),
                message.html.expose_secret().clone(),
            ))
            .map_err(|e| e.to_string())
    }

    pub async fn deliver(&self, mail: Message, id: Uuid) -> Outcome {
        let sent = match &self.target {
            Target::Server(server) => timeout(ATTEMPT_TIMEOUT, server.send(mail)).await,
            Target::Outbox(folder) => {
                return match write_to_outbox(folder, id, &mail.formatted()).await {
                    Ok(path) => Outcome::Kept(path),
                    Err(e) => Outcome::Retry(format!("the outbox can't be written: {e}")),
                };
            }
        };
        match sent {
            Ok(Ok(_)) => Outcome::Sent,
            Ok(Err(e)) if e.is_permanent() => Outcome::Failed(describe_error(&e)),
            Ok(Err(e)) => Outcome::Retry(describe_error(&e)),
            Err(_) => Outcome::Retry("the mail server takes too long".into()),
        }
    }

    /// Connects and greets the mail server without sending a mail. Always succeeds for an outbox.
    pub async fn check_connection(&self) -> Result<(), String> {
        let Target::Server(server) = &self.target else { return Ok(()) };
        match timeout(ATTEMPT_TIMEOUT, server.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err("it does not respond as a mail server".into()),
            Ok(Err(e)) => Err(describe_error(&e)),
            Err(_) => Err("it takes too long".into()),
        }
    }
}

/// Writes the mail to the file `<id>.eml` of the outbox folder, under a temporary name until it is complete.
async fn write_to_outbox(folder: &Path, id: Uuid, mail: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(folder).await?;
    let (path, draft) = (folder.join(format!("{id}.eml")), folder.join(format!(".{id}.tmp")));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(&draft).await?;
    file.write_all(mail).await?;
    file.sync_all().await?;
    drop(file);
    fs::rename(&draft, &path).await?;
    Ok(path)
}

/// Returns an error with its causes, in one line. A mail server may repeat what it received, so anything that looks
/// like a code, an address or a link is removed.
fn describe_error(error: &dyn Error) -> String {
    let mut text = error.to_string();
    for cause in successors(error.source(), |&cause| cause.source()) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    redact(&one_line(&text))
}

fn redact(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let is_secret = word.contains('@') || word.contains("//") || word.chars().count() > MAX_WORD;
        if is_secret { "…".to_owned() } else { redact_codes(word) }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Replaces each sequence of six or more digits, which may be a code, by `…`.
fn redact_codes(word: &str) -> String {
    let chars: Vec<char> = word.chars().collect();
    let runs = chars.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let is_code = |run: &[char]| run[0].is_ascii_digit() && run.len() >= 6;
    runs.map(|run| if is_code(run) { "…".to_owned() } else { run.iter().collect() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::from_flags;
    use forecourt_core::form::is_email;
    use lettre::Address;
    use proptest::{prop_assert, proptest};

    fn composed(to_name: &str, subject: &str) -> String {
        let mailer = Mailer::new(&from_flags(&["--mail-from", "Åkes Bil <noreply@bil.example>"])).unwrap();
        let message = MailMessage {
            to: "ada@example.se".into(),
            to_name: to_name.into(),
            subject: subject.into(),
            text: "Hello Åsa,\n\n012345\n\nBye\n".into(),
            html: "<p>012345</p>".into(),
        };
        let mail = mailer.compose(&message, Uuid::nil(), 1_800_000_000_000_000).unwrap();
        String::from_utf8(mail.formatted()).unwrap()
    }

    #[test]
    fn a_mail_has_a_text_part_an_html_part_a_date_and_an_id() {
        let mail = composed("Åsa Öberg", "Your code");
        assert!(mail.contains("\r\nDate: Fri, 15 Jan 2027 08:00:00 +0000\r\n"), "{mail}");
        assert!(mail.contains("Message-ID: <00000000000000000000000000000000@bil.example>\r\n"), "{mail}");
        assert!(mail.contains("multipart/alternative") && mail.contains("text/plain") && mail.contains("text/html"));
        assert!(mail.contains("\r\n012345\r\n"), "{mail}");
        assert!(mail.is_ascii());
    }

    proptest! {
        #[test]
        fn accepts_every_address_that_forms_accept(
            text in "[a-z.]{1,6}@x\\.se|[A-Za-z0-9._%+-]{1,70}@([a-z0-9-]{1,66}\\.){1,3}[a-z]{2,3}|[a-z]{60,68}@[a-z]{60,66}\\.se"
        ) {
            prop_assert!(!is_email(&text) || text.parse::<Address>().is_ok(), "{}", text);
        }
    }

    #[test]
    fn names_and_subjects_cannot_add_headers() {
        let mail = composed("x\r\nBcc: eve@example.com\r\n", "hi\r\nBcc: eve@example.com\r\n\r\nbody");
        let head = mail.split("\r\n\r\n").next().unwrap();
        assert!(!head.lines().any(|l| l.to_ascii_lowercase().starts_with("bcc")), "{head}");
        assert_eq!(head.lines().filter(|l| l.starts_with("Subject:")).count(), 1);
    }

    #[test]
    fn redacts_codes_addresses_and_links_in_server_responses() {
        assert_eq!(redact("550 5.7.1 refused: 012345 is spam 42"), "550 5.7.1 refused: … is spam 42");
        assert_eq!(redact("012345"), "…");
        assert_eq!(redact("554 code=012345, seen"), "554 code=…, seen");
        assert_eq!(redact("550 5.1.1 <ada@example.se>: no such mailbox"), "550 5.1.1 … no such mailbox");
        assert_eq!(redact("554 https://cars.example/reset-password?token=abc is listed"), "554 … is listed");
        assert_eq!(redact(&format!("554 seen {}", "x".repeat(43))), "554 seen …");
        let plain = "Connection error: Connection refused (os error 111)";
        assert_eq!(redact(plain), plain);
    }

    #[test]
    fn an_invalid_mail_server_url_is_rejected_without_its_password() {
        let config = |url: &str| from_flags::<PlatformConfig>(&["--smtp-url", url]);
        let Err(failure) = Mailer::new(&config("smtp://user:hunter2@host?tls=maybe")) else {
            panic!("it must be rejected")
        };
        assert!(failure.contains("FORECOURT_SMTP_URL") && !failure.contains("hunter2"), "{failure}");
    }
}
