//! A real mail server for tests, as a process of its own; see `server/tests/smtp-server.mjs`.

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A mail that the mail server has received, as its mail parser has parsed it.
#[derive(Debug, Deserialize)]
pub struct ReceivedMail {
    pub raw: String,
    /// The recipients in the SMTP envelope.
    pub recipients: Vec<String>,
    /// Whether the mail was received over TLS.
    pub secure: bool,
    /// The name of the user that authenticated at the mail server; empty without authentication.
    pub user: String,
    /// The names of the headers, in lower case.
    pub headers: Vec<String>,
    /// The value of the Content-Type header.
    pub types: String,
    pub from: Mailbox,
    pub to: Vec<Mailbox>,
    pub subject: String,
    pub date: String,
    pub id: String,
    pub text: String,
    pub html: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
pub struct Mailbox {
    pub name: String,
    pub address: String,
}

pub struct MailServer {
    _process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    port: u16,
    received: VecDeque<ReceivedMail>,
}

impl MailServer {
    /// Starts a mail server with the options and settings that the script documents. `{}` accepts every mail.
    pub async fn start(options: Value) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/smtp-server.mjs");
        let mut command = Command::new("node");
        command.args([script, &options.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut server = MailServer { _process: process, input, output, port: 0, received: VecDeque::new() };
        server.port = u16::try_from(server.read_line().await["port"].as_u64().unwrap()).unwrap();
        server
    }

    /// Returns the mail server's address as the setting `FORECOURT_SMTP_URL` has it.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Replaces all settings of this mail server; its options stay.
    pub async fn configure(&mut self, settings: Value) {
        self.input.write_all(format!("{settings}\n").as_bytes()).await.unwrap();
        loop {
            let line = self.read_line().await;
            if line == json!({}) {
                return;
            }
            self.received.push_back(serde_json::from_value(line).unwrap());
        }
    }

    /// Waits for the next mail that arrives, and returns it, even if the mail server rejects it.
    pub async fn next(&mut self) -> ReceivedMail {
        if let Some(mail) = self.received.pop_front() {
            return mail;
        }
        serde_json::from_value(self.read_line().await).unwrap()
    }

    /// Lets the mail server accept every mail from now on. Returns the mails that `next` has not returned yet.
    pub async fn accept_all_and_take_mails(&mut self) -> Vec<ReceivedMail> {
        self.configure(json!({})).await;
        self.received.drain(..).collect()
    }

    async fn read_line(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(20), self.output.next_line()).await;
        let line = line.expect("no mail arrived").unwrap();
        serde_json::from_str(&line.expect("the mail server has ended: `make setup` installs it")).unwrap()
    }
}
