//! Measures sign-ins per second, and the latency of other requests meanwhile. For comparison, measures plain password
//! hashing on the same cores, and the latency without sign-ins. Compare the ratios, because times differ between
//! machines. Run by `make bench`.

#[path = "support/process.rs"]
mod process;

use argon2::{Argon2, Block, Params};
use forecourt::platform::db::Db;
use futures_util::future::join_all;
use process::{cpu_time, memory};
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
/// The number of users, each with a trusted device, so that a sign-in needs no mailed code, only a password hash and a
/// session. Only every second one signs in while times are measured.
const USERS: usize = 32;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(3);
/// Concurrent sign-ins.
const SIGNING_IN: usize = 16;
/// The number of clients that send other requests meanwhile, all as one user.
const OTHERS: usize = 4;
/// The number of simultaneous sign-ins in the second measurement, far more than the server can hash in time.
const WAVE: usize = 1000;

struct Server {
    folder: TempDir,
    process: Child,
    at: String,
    client: Client,
}

impl Server {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder is created");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port is free");
        let process = Command::new(env!("CARGO_BIN_EXE_forecourt"))
            .args(["serve", "--listen", &free.to_string(), "--log", "warn", "--trusted-proxies", "127.0.0.1"])
            .args(["--admin-email", &email(0), "--admin-password", PASSWORD, "--data-dir"])
            .arg(folder.path())
            .stdin(Stdio::null())
            .spawn()
            .expect("the program starts");
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let client = Client::builder().timeout(Duration::from_secs(60)).no_proxy().build().expect("a client is built");
        let server = Server { folder, process, at: format!("http://{free}"), client };
        while server.client.get(server.url("/api/health")).send().await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        server
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.at)
    }

    /// Sends a request from client address number `from`.
    async fn post(&self, path: &str, from: usize, body: Value) -> (u16, Value) {
        let address = format!("10.{}.{}.{}", from >> 16, (from >> 8) & 255, from & 255);
        let request = self.client.post(self.url(path)).header("x-forwarded-for", address).json(&body);
        let response = request.send().await.expect("the server answers");
        (response.status().as_u16(), response.json().await.expect("the response is JSON"))
    }

    async fn login(&self, user: usize, from: usize) -> (u16, Value) {
        let form = json!({"email": email(user), "password": PASSWORD, "deviceId": "bench", "deviceName": "Bench",
            "rememberMe": true});
        self.post("/api/auth/login", from, form).await
    }

    /// Creates users 1 to [`USERS`] - 1 as copies of user 0, the first Super Admin.
    async fn create_users(&self) {
        let file = self.folder.path().join("forecourt.sqlite3");
        let db = Db::open(&format!("sqlite:{}", file.display()), 1).await.expect("the database opens");
        for user in 1..USERS {
            let copy = "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, \
                password_hash, created_at, updated_at) SELECT corp_id, $1, $2, first_name, last_name, mobile, user_type, \
                password_hash, created_at, updated_at FROM users WHERE email = $3";
            let copied = db.sql(copy).bind(Uuid::now_v7()).bind(email(user)).bind(email(0)).exec().await;
            assert_eq!(copied.expect("a user is created"), 1);
        }
    }

    /// Signs a user in with the mailed code on a device that is trusted from then on, and returns the access token.
    async fn trust_device(&self, user: usize) -> String {
        assert_eq!(self.login(user, user).await.0, 200);
        let code = loop {
            match find_code(&self.folder.path().join("outbox"), &email(user)) {
                Some(code) => break code,
                None => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        let form = json!({"email": email(user), "otp": code, "deviceId": "bench"});
        let (status, response) = self.post("/api/auth/verify-otp", user, form).await;
        assert_eq!(status, 200);
        response["data"]["tokens"]["accessToken"].as_str().expect("there is a token").to_owned()
    }

    /// Requests the user's profile repeatedly until `over` is true, with [`OTHERS`] clients. Returns the latencies.
    async fn measure_others(&self, token: &str, over: &AtomicBool) -> Vec<Duration> {
        let one = async || {
            let mut waits = Vec::new();
            while !over.load(Ordering::Relaxed) {
                let begun = Instant::now();
                let request = self.client.get(self.url("/api/auth/profile/detail")).bearer_auth(token);
                assert_eq!(request.send().await.expect("the server answers").status(), 200);
                waits.push(begun.elapsed());
                // A pause, because latency is measured, not throughput.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            waits
        };
        join_all((0..OTHERS).map(|_| one())).await.concat()
    }

    /// Signs users in for the duration of a round, waits for the last response, and then sets `over` to true.
    async fn measure_logins(&self, round: usize, over: &AtomicBool) -> Work {
        let count = AtomicUsize::new(0);
        let (begun, before) = (Instant::now(), cpu_time(self.process.id()));
        let one = async |lane: usize| {
            while begun.elapsed() < ROUND {
                let i = count.fetch_add(1, Ordering::Relaxed) + round * 10_000;
                let (status, response) = self.login(lane * USERS / SIGNING_IN, i).await;
                assert_eq!((status, &response["requiresVerification"]), (200, &json!(false)));
            }
        };
        join_all((0..SIGNING_IN).map(one)).await;
        over.store(true, Ordering::Relaxed);
        Work { count: count.into_inner(), wall: begun.elapsed(), cpu: cpu_time(self.process.id()) - before }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn email(user: usize) -> String {
    format!("user-{user}@bench.example")
}

fn find_code(outbox: &Path, email: &str) -> Option<String> {
    let mails = std::fs::read_dir(outbox).ok()?.filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
    let mail = mails.into_iter().find(|mail| mail.lines().any(|l| l.starts_with("To:") && l.contains(email)))?;
    let code = mail.lines().map(str::trim).find(|l| l.len() == 6 && l.bytes().all(|b| b.is_ascii_digit()))?;
    Some(code.to_owned())
}

/// A number of operations, and the time that they took.
#[derive(Clone, Copy)]
struct Work {
    count: usize,
    wall: Duration,
    /// CPU time of all cores together.
    cpu: Duration,
}

impl Work {
    fn per_second(&self) -> f64 {
        self.count as f64 / self.wall.as_secs_f64()
    }

    /// Returns the milliseconds of CPU time per operation, which other processes on the machine affect little.
    fn cpu_ms_per_operation(&self) -> f64 {
        self.cpu.as_secs_f64() * 1000.0 / self.count as f64
    }
}

/// Hashes passwords on all cores for the duration of a round, since a sign-in costs at least one hash. If
/// `reuses_memory`, all hashes of a thread use the same memory, as in the server; else memory is allocated for each
/// hash.
fn measure_hashes(reuses_memory: bool) -> Work {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (begun, before) = (Instant::now(), cpu_time(std::process::id()));
    let count = std::thread::scope(|scope| {
        let work = || {
            let (mut memory, mut out) = (vec![Block::default(); Params::default().block_count()], [0; 32]);
            let mut count = 0;
            while begun.elapsed() < ROUND {
                let (password, salt) = (PASSWORD.as_bytes(), [7; 16]);
                let done = match reuses_memory {
                    true => Argon2::default().hash_password_into_with_memory(password, &salt, &mut out, &mut memory),
                    false => Argon2::default().hash_password_into(password, &salt, &mut out),
                };
                done.expect("a password can be hashed");
                count += 1;
            }
            count
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread does not panic")).sum()
    });
    Work { count, wall: begun.elapsed(), cpu: cpu_time(std::process::id()) - before }
}

fn median(works: &[Work], of: impl Fn(&Work) -> f64) -> f64 {
    let mut values: Vec<f64> = works.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns a percentile in milliseconds.
fn percentile(waits: &mut [Duration], percent: usize) -> f64 {
    waits.sort();
    waits[(waits.len() * percent / 100).min(waits.len() - 1)].as_secs_f64() * 1000.0
}

async fn measure_rounds(server: &Server, token: &str) {
    let (mut allocating, mut reusing, mut signed_in) = (Vec::new(), Vec::new(), Vec::new());
    let (mut idle, mut during) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        allocating.push(measure_hashes(false));
        reusing.push(measure_hashes(true));
        let over = AtomicBool::new(false);
        let rest = async {
            tokio::time::sleep(ROUND).await;
            over.store(true, Ordering::Relaxed);
        };
        idle.extend(tokio::join!(server.measure_others(token, &over), rest).0);
        let over = AtomicBool::new(false);
        let (waits, work) = tokio::join!(server.measure_others(token, &over), server.measure_logins(round, &over));
        during.extend(waits);
        signed_in.push(work);
    }
    println!("{:24} {:>12} {:>16}", "", "per second", "CPU ms");
    for (name, works) in [("sign-ins", &signed_in), ("hashing", &allocating), ("hashing, memory reused", &reusing)] {
        let (rate, cost) = (median(works, Work::per_second), median(works, Work::cpu_ms_per_operation));
        println!("{name:24} {rate:12.1} {cost:16.1}");
    }
    let [sign_in, hash] = [&signed_in, &reusing].map(|works| median(works, Work::cpu_ms_per_operation));
    // The CPU time of a sign-in includes that of the other requests, which the same process handles meanwhile.
    println!("a sign-in costs {:.2} times its hash", sign_in / hash);
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

/// Sends [`WAVE`] sign-ins at once, and measures the latency of the health check meanwhile. No account has the e-mails
/// of these sign-ins, but the server hashes the password of each one that it does not reject.
async fn measure_wave(server: &Server) {
    let over = AtomicBool::new(false);
    let health = async {
        let mut waits = Vec::new();
        while !over.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let response = server.client.get(server.url("/api/health")).send().await.expect("the server answers");
            assert_eq!(response.status(), 200);
            waits.push(begun.elapsed());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        waits
    };
    let sign_ins = async {
        let responses = join_all((0..WAVE).map(|i| server.login(USERS + i, 100_000 + i))).await;
        over.store(true, Ordering::Relaxed);
        responses
    };
    let (mut waits, responses) = tokio::join!(health, sign_ins);
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for (status, _) in responses {
        *statuses.entry(status).or_default() += 1;
    }
    println!("{WAVE} sign-ins at once    responses {statuses:?}");
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
    server.create_users().await;
    let mut token = String::new();
    for user in 0..USERS {
        token = server.trust_device(user).await;
    }
    println!("{} cores", std::thread::available_parallelism().map_or(1, usize::from));
    measure_rounds(&server, &token).await;
    measure_wave(&server).await;
}
