//! How many people sign in per second, and what everybody else feels of it: beside hashing alone on the same cores, and
//! beside an idle server. Ratios of one run, since milliseconds differ from machine to machine. Run by `make bench`.

#[path = "support/process.rs"]
mod process;

use argon2::{Argon2, Block, Params};
use forecourt::platform::db::Db;
use futures_util::future::join_all;
use process::{computed, memory};
use reqwest::Client;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use uuid::Uuid;

const PASSWORD: &str = "a-long-bench-password";
/// Each person signs in on a device that is trusted, so that a sign-in is the hash and the session alone.
const PEOPLE: usize = 32;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(3);
/// How many sign in at the same time, and how many others ask for something else meanwhile.
const SIGNING_IN: usize = 16;
const OTHERS: usize = 4;
/// A wave of sign-ins far beyond what can be hashed.
const WAVE: usize = 1000;

struct Server {
    folder: TempDir,
    process: Child,
    at: String,
    client: Client,
}

impl Server {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder is made");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port is free");
        let process = Command::new(env!("CARGO_BIN_EXE_forecourt"))
            .args(["serve", "--listen", &free.to_string(), "--log", "warn", "--trusted-proxies", "127.0.0.1"])
            .args(["--admin-email", &email(0), "--admin-password", PASSWORD, "--data-dir"])
            .arg(folder.path())
            .stdin(Stdio::null())
            .spawn()
            .expect("the program starts");
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let client = Client::builder().timeout(Duration::from_secs(60)).no_proxy().build().expect("a client is made");
        let server = Server { folder, process, at: format!("http://{free}"), client };
        while server.client.get(server.url("/api/health")).send().await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        server
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.at)
    }

    /// Sends a call from this address.
    async fn post(&self, path: &str, from: usize, body: Value) -> (u16, Value) {
        let address = format!("10.{}.{}.{}", from >> 16, (from >> 8) & 255, from & 255);
        let request = self.client.post(self.url(path)).header("x-forwarded-for", address).json(&body);
        let answer = request.send().await.expect("the server answers");
        (answer.status().as_u16(), answer.json().await.expect("the answer is JSON"))
    }

    async fn login(&self, who: usize, from: usize) -> (u16, Value) {
        let form = json!({"email": email(who), "password": PASSWORD, "deviceId": "bench", "deviceName": "Bench",
            "rememberMe": true});
        self.post("/api/auth/login", from, form).await
    }

    /// Makes the people: the first Super Admin is there already, the others are like them.
    async fn people(&self) {
        let file = self.folder.path().join("forecourt.sqlite3");
        let db = Db::open(&format!("sqlite:{}", file.display()), 1).await.expect("the database opens");
        for who in 1..PEOPLE {
            let copy = "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, \
                password_hash, created_at, updated_at) SELECT corp_id, $1, $2, first_name, last_name, mobile, user_type, \
                password_hash, created_at, updated_at FROM users WHERE email = $3";
            let copied = db.sql(copy).bind(Uuid::now_v7()).bind(email(who)).bind(email(0)).exec().await;
            assert_eq!(copied.expect("a person is made"), 1);
        }
    }

    /// Signs a person in with the mailed code, on a device to be remembered; gives their access token.
    async fn trust(&self, who: usize) -> String {
        assert_eq!(self.login(who, who).await.0, 200);
        let code = loop {
            match code_for(&self.folder.path().join("outbox"), &email(who)) {
                Some(code) => break code,
                None => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        let form = json!({"email": email(who), "otp": code, "deviceId": "bench"});
        let (status, answer) = self.post("/api/auth/verify-otp", who, form).await;
        assert_eq!(status, 200);
        answer["data"]["tokens"]["accessToken"].as_str().expect("there is a token").to_owned()
    }

    /// How long the others wait for their own profile, until it is over.
    async fn others(&self, token: &str, over: &AtomicBool) -> Vec<Duration> {
        let one = async || {
            let mut waits = Vec::new();
            while !over.load(Ordering::Relaxed) {
                let begun = Instant::now();
                let request = self.client.get(self.url("/api/auth/profile/detail")).bearer_auth(token);
                assert_eq!(request.send().await.expect("the server answers").status(), 200);
                waits.push(begun.elapsed());
                // A person is no loop: the call is what is measured, not how many fit.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            waits
        };
        join_all((0..OTHERS).map(|_| one())).await.concat()
    }

    /// Sign-ins for the length of a round, and until the last is answered.
    async fn logins(&self, round: usize, over: &AtomicBool) -> Work {
        let count = AtomicUsize::new(0);
        let (begun, before) = (Instant::now(), computed(self.process.id()));
        let one = async |lane: usize| {
            while begun.elapsed() < ROUND {
                let i = count.fetch_add(1, Ordering::Relaxed) + round * 10_000;
                let (status, answer) = self.login(lane * PEOPLE / SIGNING_IN, i).await;
                assert_eq!((status, &answer["requiresVerification"]), (200, &json!(false)));
            }
        };
        join_all((0..SIGNING_IN).map(one)).await;
        over.store(true, Ordering::Relaxed);
        Work { count: count.into_inner(), wall: begun.elapsed(), computing: computed(self.process.id()) - before }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn email(who: usize) -> String {
    format!("person-{who}@bench.example")
}

fn code_for(outbox: &Path, email: &str) -> Option<String> {
    let mails = std::fs::read_dir(outbox).ok()?.filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
    let mail = mails.into_iter().find(|mail| mail.lines().any(|l| l.starts_with("To:") && l.contains(email)))?;
    let code = mail.lines().map(str::trim).find(|l| l.len() == 6 && l.bytes().all(|b| b.is_ascii_digit()))?;
    Some(code.to_owned())
}

/// So many of something, and what they took.
#[derive(Clone, Copy)]
struct Work {
    count: usize,
    wall: Duration,
    /// Of all cores together.
    computing: Duration,
}

impl Work {
    fn per_second(&self) -> f64 {
        self.count as f64 / self.wall.as_secs_f64()
    }

    /// Milliseconds of computing for each, which other programs on the machine change little.
    fn cost(&self) -> f64 {
        self.computing.as_secs_f64() * 1000.0 / self.count as f64
    }
}

/// Hashes on all cores with the bare library, which takes its memory anew for each, or in memory that is kept
/// from one to the next, as the server does: what a sign-in can't be faster than.
fn hashes(is_kept: bool) -> Work {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (begun, before) = (Instant::now(), computed(std::process::id()));
    let count = std::thread::scope(|scope| {
        let work = || {
            let (mut memory, mut out) = (vec![Block::default(); Params::default().block_count()], [0; 32]);
            let mut count = 0;
            while begun.elapsed() < ROUND {
                let (password, salt) = (PASSWORD.as_bytes(), [7; 16]);
                let done = match is_kept {
                    true => Argon2::default().hash_password_into_with_memory(password, &salt, &mut out, &mut memory),
                    false => Argon2::default().hash_password_into(password, &salt, &mut out),
                };
                done.expect("a password can be hashed");
                count += 1;
            }
            count
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread ends well")).sum()
    });
    Work { count, wall: begun.elapsed(), computing: computed(std::process::id()) - before }
}

fn median(works: &[Work], of: impl Fn(&Work) -> f64) -> f64 {
    let mut values: Vec<f64> = works.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A percentile in milliseconds.
fn percentile(waits: &mut [Duration], percent: usize) -> f64 {
    waits.sort();
    waits[(waits.len() * percent / 100).min(waits.len() - 1)].as_secs_f64() * 1000.0
}

async fn rounds(server: &Server, token: &str) {
    let (mut alone, mut kept, mut signed_in) = (Vec::new(), Vec::new(), Vec::new());
    let (mut idle, mut during) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        alone.push(hashes(false));
        kept.push(hashes(true));
        let over = AtomicBool::new(false);
        let rest = async {
            tokio::time::sleep(ROUND).await;
            over.store(true, Ordering::Relaxed);
        };
        idle.extend(tokio::join!(server.others(token, &over), rest).0);
        let over = AtomicBool::new(false);
        let (waits, work) = tokio::join!(server.others(token, &over), server.logins(round, &over));
        during.extend(waits);
        signed_in.push(work);
    }
    println!("{:24} {:>12} {:>16}", "", "per second", "ms of computing");
    for (name, works) in [("sign-ins", &signed_in), ("hashing alone", &alone), ("in memory that is kept", &kept)] {
        let (rate, cost) = (median(works, Work::per_second), median(works, Work::cost));
        println!("{name:24} {rate:12.1} {cost:16.1}");
    }
    let [sign_in, hash] = [&signed_in, &kept].map(|works| median(works, Work::cost));
    // With the calls of the others, which the same process answers meanwhile.
    println!("a sign-in costs {:.2} of its hash", sign_in / hash);
    for percent in [50, 99] {
        let (idle, during) = (percentile(&mut idle, percent), percentile(&mut during, percent));
        println!(
            "other calls, p{percent}, in ms    {during:8.1}   on an idle server {idle:.1}: {:.1} times it",
            during / idle
        );
    }
    let [now, most] = memory(server.process.id());
    println!("memory, in MiB            {now:8}   at most {most}");
}

/// Everybody at once, while the health check is asked.
async fn wave(server: &Server) {
    let over = AtomicBool::new(false);
    let health = async {
        let mut waits = Vec::new();
        while !over.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let answer = server.client.get(server.url("/api/health")).send().await.expect("the server answers");
            assert_eq!(answer.status(), 200);
            waits.push(begun.elapsed());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        waits
    };
    let everybody = async {
        let answers = join_all((0..WAVE).map(|i| server.login(PEOPLE + i, 100_000 + i))).await;
        over.store(true, Ordering::Relaxed);
        answers
    };
    let (mut waits, answers) = tokio::join!(health, everybody);
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for (status, _) in answers {
        *statuses.entry(status).or_default() += 1;
    }
    println!("{WAVE} sign-ins at once    answers {statuses:?}");
    println!(
        "health meanwhile, in ms   {:8.1}   at most {:.1}",
        percentile(&mut waits, 50),
        percentile(&mut waits, 100)
    );
    println!(
        "memory, in MiB            {:8}   at most {}",
        memory(server.process.id())[0],
        memory(server.process.id())[1]
    );
}

#[tokio::main]
async fn main() {
    let server = Server::start().await;
    server.people().await;
    let mut token = String::new();
    for who in 0..PEOPLE {
        token = server.trust(who).await;
    }
    println!("{} cores", std::thread::available_parallelism().map_or(1, usize::from));
    rounds(&server, &token).await;
    wave(&server).await;
}
