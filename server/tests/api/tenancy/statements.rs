//! Reads the statements out of the program's sources, and finds those that name a tenant's table but not its tenant.

use crate::app::TestApp;
use crate::promises::sources;
use crate::tenancy::schema::{SEARCH, tables};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Functions whose statements reach across corporations, and why they may.
const ACROSS: &[(&str, &str)] = &[
    ("features/auth/admin.rs platform", "there is one platform"),
    ("features/auth/admin.rs platform_of", "there is one platform"),
    ("features/auth/handoffs.rs redeem", "a one-time value is found by its hash"),
    ("features/auth/handoffs.rs sweep", "a job for all"),
    ("features/auth/mod.rs sweep", "a job for all"),
    ("features/auth/oidc/identities.rs owner", "whose a provider's subject is, is to be found out"),
    ("features/auth/resets.rs reset", "a link is found by its hash"),
    ("features/auth/sessions.rs refresh", "a token is found by its hash"),
    ("features/corporations/store.rs included", "the platform asks about anybody, others about themselves alone"),
    ("features/corporations/store.rs list", "the platform's list of corporations"),
    ("features/corporations/store.rs platform_contact", "there is one platform"),
    ("features/corporations/store.rs with_resources", "the platform's list of corporations"),
    ("features/customers/rotate.rs all_under", "a job for all; the row says whose it is"),
    ("app/demo/mod.rs fill", "is there any corporation yet?"),
    ("features/images/store.rs get", "a picture is opened by its link (docs/decisions/0006-image-links.md)"),
    ("features/import/deletion.rs sweep_old", "a job for all; the row says whose it is"),
    ("features/import/store.rs claim", "a job for all; the row says whose it is"),
    ("features/import/store.rs is_any_due", "a job for all"),
    ("features/import/deletion.rs sweep_files", "a job for all"),
    ("features/import/store.rs release_stale_claims", "a job for all"),
    ("features/listing/fold.rs some", "a job for all; the row says whose it is"),
    ("platform/mail/queue.rs claim", "a job for all; the row says whose it is"),
    ("platform/mail/queue.rs outbox", "the demo's mailbox, which is everybody's"),
    ("platform/mail/queue.rs sweep", "a job for all"),
    ("platform/metrics/mod.rs count_waiting", "how much waits in all, for whoever runs the server"),
    ("features/organizations/own.rs find", "the platform looks a company up"),
    ("features/organizations/own.rs is_taken", "a company is registered once on an installation"),
    ("access/actor.rs actor_of_session", "whose a session is, is to be found out"),
    ("features/users/bans.rs corporation_of", "the platform bans by the person alone"),
    ("features/users/mod.rs any_super_admin", "there is one platform"),
    ("features/users/mod.rs by_email", "who signs in is known by e-mail"),
    ("features/users/mod.rs by_email_in", "who signs in is known by e-mail"),
    ("features/users/mod.rs lock_by_email", "who signs in is known by e-mail"),
    ("features/users/mod.rs super_admins", "there is one platform"),
    ("features/users/store.rs corporation_of", "the platform finds a person by id alone"),
];

/// The texts and the half statements of a source, by the names of their constants and functions.
#[derive(Default)]
struct Names(HashMap<String, String>);

/// A function's statement, `$` where a value is bound.
struct Statement {
    function: String,
    text: String,
}

fn is_parenthesis(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

/// Calls `see` with each function's name and body, those of tests left out.
fn functions(stream: TokenStream, see: &mut impl FnMut(String, TokenStream)) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let word = |i: usize| trees.get(i).map(ToString::to_string).unwrap_or_default();
    let (mut name, mut is_test) = (None, false);
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(ident) if ident == "fn" => name = Some(word(i + 1)),
            TokenTree::Ident(ident) if ident == "mod" => is_test = word(i + 1) == "tests",
            TokenTree::Punct(punct) if punct.as_char() == ';' => name = None,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => match name.take() {
                Some(name) => see(name, group.stream()),
                None if !is_test => functions(group.stream(), see),
                None => is_test = false,
            },
            _ => {}
        }
    }
}

impl Names {
    fn of(source: &TokenStream) -> Self {
        let mut names = Names::default();
        names.constants(source.clone());
        let mut halves = HashMap::new();
        functions(source.clone(), &mut |function, body| {
            let mut found = Vec::new();
            names.statements(&function, body, &mut found);
            // What begins with no statement of its own goes on with its caller's.
            if let [half] = &found[..]
                && half.text.starts_with(HALF)
            {
                halves.insert(function, half.text.trim_start_matches(HALF).to_owned());
            }
        });
        names.0.extend(halves);
        names
    }

    fn constants(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        for (i, tree) in trees.iter().enumerate() {
            match tree {
                // The text of a field stands for it wherever it is read.
                TokenTree::Ident(field) if trees.get(i + 1).is_some_and(|t| t.to_string() == ":") => {
                    if let Some(text) = trees.get(i + 2).and_then(text) {
                        self.0.insert(field.to_string(), text);
                    }
                }
                TokenTree::Ident(ident) if ident == "const" => {
                    let mut rest = trees[i..].iter().take_while(|t| t.to_string() != ";");
                    if let Some(text) = rest.find_map(text) {
                        self.0.insert(trees[i + 1].to_string(), text);
                    }
                }
                TokenTree::Group(group) => self.constants(group.stream()),
                _ => {}
            }
        }
    }

    /// The texts of a call's arguments, one after the other; of what is said in two dialects, both.
    fn texts(&self, stream: TokenStream) -> String {
        let of = |tree: TokenTree| match &tree {
            TokenTree::Group(group) => self.texts(group.stream()),
            TokenTree::Ident(ident) => self.0.get(&ident.to_string()).cloned().unwrap_or_default(),
            _ => text(&tree).unwrap_or_default(),
        };
        stream.into_iter().map(of).collect::<Vec<_>>().join(" ")
    }

    /// Puts the calls that make statements together again, in the order in which they stand.
    fn statements(&self, function: &str, body: TokenStream, found: &mut Vec<Statement>) {
        let trees: Vec<TokenTree> = body.into_iter().collect();
        for (i, tree) in trees.iter().enumerate() {
            let TokenTree::Group(group) = tree else { continue };
            let callee = match i.checked_sub(1).map(|i| &trees[i]) {
                Some(TokenTree::Ident(ident)) if is_parenthesis(Some(tree)) => ident.to_string(),
                _ => String::new(),
            };
            let more = match callee.as_str() {
                "sql" => {
                    let text = self.texts(group.stream());
                    found.push(Statement { function: function.to_owned(), text });
                    continue;
                }
                "push" => self.texts(group.stream()),
                "arg" | "next" => " $ ".to_owned(),
                "filter" => self.texts(group.stream()) + " $ ",
                _ => {
                    self.statements(function, group.stream(), found);
                    self.0.get(&callee).cloned().unwrap_or_default()
                }
            };
            if more.is_empty() {
                continue;
            }
            if found.is_empty() {
                found.push(Statement { function: function.to_owned(), text: HALF.to_owned() });
            }
            if let Some(statement) = found.last_mut() {
                statement.text.push_str(&more);
            }
        }
    }
}

/// What a half statement begins with.
const HALF: &str = "…";

fn text(tree: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = tree else { return None };
    syn::parse_str::<syn::LitStr>(&literal.to_string()).ok().map(|text| text.value())
}

/// The words and signs of a statement, in small letters; a bound value is `$`, and texts are left out.
fn words(sql: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (i, outside) in sql.split('\'').enumerate() {
        if i % 2 == 1 {
            continue;
        }
        let mut was_word = false;
        for c in outside.to_lowercase().chars() {
            let is_word = c.is_alphanumeric() || c == '_' || c == '$';
            match words.last_mut() {
                Some(word) if is_word && was_word => word.push(c),
                _ if c.is_whitespace() => {}
                _ => words.push(c.to_string()),
            }
            was_word = is_word;
        }
    }
    words.iter().map(|word| if word.starts_with('$') { "$".to_owned() } else { word.clone() }).collect()
}

const BEFORE_A_TABLE: [&str; 5] = ["from", "join", "into", "update", ","];

/// What a query, or one within it, says of tenants.
#[derive(Default)]
struct Level {
    tables: Vec<String>,
    /// How often a `corp_id` is held against something, or filled in.
    held: usize,
}

/// Why a statement may show one tenant another's rows: a query names more of their tables than it holds to a tenant, or
/// no tenant is given to it at all.
fn fault(sql: &str, tables: &BTreeSet<String>) -> Option<String> {
    let words = words(sql);
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let (mut levels, mut parentheses, mut over) = (vec![Level::default()], Vec::new(), Vec::new());
    let mut is_given = false;
    for i in 0..words.len() {
        let before = if i == 0 { "" } else { word(i - 1) };
        let last = levels.len() - 1;
        match word(i) {
            "(" => {
                parentheses.push(word(i + 1) == "select");
                if word(i + 1) == "select" {
                    levels.push(Level::default());
                }
            }
            ")" if parentheses.pop() == Some(true) => over.extend(levels.pop()),
            "corp_id" => {
                // Alone, or the first of a pair.
                let pair = (before == "(").then(|| (i..words.len()).find(|i| word(*i) == ")")).flatten();
                let next = word(pair.map_or(i + 1, |end| end + 1));
                let is_filled_in = pair.is_some() && word(i.saturating_sub(3)) == "into";
                levels[last].held += usize::from(is_filled_in || matches!(next, "=" | "in"));
                is_given |= is_filled_in || (next == "=" && matches!(word(i + 2), "$" | "(")) || pair.is_some();
            }
            // SQLite's search, an index without a corporation.
            "match" => levels[last].tables.retain(|table| table != before),
            table if tables.contains(table) && word(i + 1) != "." && BEFORE_A_TABLE.contains(&before) => {
                levels[last].tables.push(table.to_owned());
            }
            _ => {}
        }
    }
    over.extend(levels);
    let open = over.iter().find(|level| level.tables.len() > level.held);
    match open {
        Some(level) => Some(format!("{} of {:?} are held to a tenant", level.held, level.tables)),
        None => (!is_given && over.iter().any(|l| !l.tables.is_empty())).then(|| "no tenant is given".to_owned()),
    }
}

#[tokio::test]
async fn t5_every_statement_on_a_tenants_table_names_its_tenant() {
    let app = TestApp::start().await;
    let mut names: BTreeSet<String> = tables(app.db()).await.into_iter().map(|table| table.name).collect();
    names.extend(SEARCH.map(str::to_owned));
    // On PostgreSQL alone.
    names.insert("tally_changes".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut read, mut faults, mut unused) =
        (0, Vec::new(), BTreeSet::from_iter(ACROSS.iter().map(|(place, _)| *place)));
    for path in sources(&root) {
        let source: TokenStream = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let mut known = Names::of(&source);
        // A part of a module uses its module's names too.
        let above = path.parent().map(|folder| folder.join("mod.rs")).filter(|file| file.exists());
        if let Some(above) = above {
            let above = Names::of(&std::fs::read_to_string(above).unwrap().parse().unwrap());
            known.0.extend(above.0);
        }
        let file = path.strip_prefix(&root).unwrap().display().to_string();
        functions(source, &mut |function, body| {
            let mut found = Vec::new();
            known.statements(&function, body, &mut found);
            for statement in found.iter().filter(|s| !s.text.starts_with(HALF)) {
                read += 1;
                let Some(fault) = fault(&statement.text, &names) else { continue };
                let place = format!("{file} {}", statement.function);
                if !ACROSS.iter().any(|(across, _)| *across == place) {
                    faults.push(format!("{place}: {fault}: {}", statement.text));
                }
                unused.retain(|across| *across != place);
            }
        });
    }
    println!("{read} statements were read");
    assert!(read > 100, "{read} statements were read");
    assert!(faults.is_empty(), "{} statements:\n{}", faults.len(), faults.join("\n"));
    assert!(unused.is_empty(), "needless exceptions: {unused:?}");
}

#[test]
fn a_statement_without_its_tenant_is_found_however_it_is_put_together() {
    let tables = BTreeSet::from(["users", "roles", "contacts_search"].map(str::to_owned));
    for sql in [
        "SELECT email FROM users WHERE corp_id = $1 AND user_id = $2",
        "SELECT 1 FROM users u JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id WHERE u.corp_id = $1",
        "INSERT INTO users (corp_id, user_id) VALUES ($1, $2) ON CONFLICT (corp_id, user_id) DO NOTHING",
        "DELETE FROM users WHERE (corp_id, user_id) IN (SELECT corp_id, user_id FROM roles WHERE corp_id = $1)",
        "SELECT 1 FROM (SELECT rowid FROM contacts_search WHERE contacts_search MATCH $) CROSS JOIN users WHERE corp_id = $",
        "SELECT resource_id FROM resources",
    ] {
        assert_eq!(fault(sql, &tables), None, "{sql}");
    }
    for sql in [
        "SELECT email FROM users WHERE user_id = $2",
        "SELECT corp_id FROM users WHERE user_id = $2",
        "SELECT 1 FROM users u JOIN roles r ON r.role_id = u.role_id WHERE u.corp_id = $1",
        "SELECT 1 FROM users u JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id WHERE u.user_id = $1",
        "UPDATE users SET role_id = $1 WHERE user_id = (SELECT user_id FROM roles WHERE corp_id = $1)",
        "DELETE FROM users WHERE corp_id = $1 AND user_id IN (SELECT user_id FROM roles WHERE name = 'corp_id = $1')",
        "INSERT INTO users (user_id) VALUES ($1)",
        "SELECT contact_id FROM contacts_search WHERE search LIKE $1",
    ] {
        assert!(fault(sql, &tables).is_some(), "{sql}");
    }
}
