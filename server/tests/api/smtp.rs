//! A real mail server for tests, in a process of its own: see `server/tests/smtp-server.mjs`.

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A mail as it arrived, read by a mail parser.
#[derive(Debug, Deserialize)]
pub struct Arrived {
    pub raw: String,
    /// Whom the envelope names.
    pub recipients: Vec<String>,
    /// Did it come over TLS?
    pub secure: bool,
    /// Who was signed in at the mail server.
    pub user: String,
    /// The names of its headers, in small letters.
    pub headers: Vec<String>,
    /// The value of its Content-Type.
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
    arrived: VecDeque<Arrived>,
}

impl MailServer {
    /// Starts one that behaves as the script's head says; `{}` takes every mail.
    pub async fn start(set_up: Value) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/smtp-server.mjs");
        let mut command = Command::new("node");
        command.args([script, &set_up.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut server = MailServer { _process: process, input, output, port: 0, arrived: VecDeque::new() };
        server.port = u16::try_from(server.line().await["port"].as_u64().unwrap()).unwrap();
        server
    }

    /// Its address as the settings name it.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Tells it how to behave from now on.
    pub async fn say(&mut self, told: Value) {
        self.input.write_all(format!("{told}\n").as_bytes()).await.unwrap();
        loop {
            let line = self.line().await;
            if line == json!({}) {
                return;
            }
            self.arrived.push_back(serde_json::from_value(line).unwrap());
        }
    }

    /// The next mail that arrives, whatever is answered to it.
    pub async fn next(&mut self) -> Arrived {
        if let Some(mail) = self.arrived.pop_front() {
            return mail;
        }
        serde_json::from_value(self.line().await).unwrap()
    }

    /// The mails that have arrived by now and that nobody has asked for yet; from here on it takes every mail.
    pub async fn rest(&mut self) -> Vec<Arrived> {
        self.say(json!({})).await;
        self.arrived.drain(..).collect()
    }

    async fn line(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(20), self.output.next_line()).await;
        let line = line.expect("nothing came to the mail server").unwrap();
        serde_json::from_str(&line.expect("the mail server has ended: `make setup` installs it")).unwrap()
    }
}
