//! Extracts the SQL statements from the sources, and finds those that use a table of tenants without naming a tenant.

use crate::app::TestApp;
use crate::promises::rust_files;
use crate::tenancy::schema::{search_tables, tables};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The functions whose statements may read or write rows of several corporations, each with the reason.
const ACROSS: &[(&str, &str)] = &[
    ("features/auth/admin.rs create_platform", "the platform is unique"),
    ("features/auth/admin.rs find_or_create_platform", "the platform is unique"),
    ("features/auth/login_exchange.rs redeem", "a one-time value is found by its hash"),
    ("features/auth/login_exchange.rs sweep", "a job for all tenants"),
    ("features/auth/mod.rs sweep", "a job for all tenants"),
    ("features/auth/oidc/identities.rs find_owner", "finds the user of a provider's subject"),
    ("features/auth/resets.rs reset", "a link is found by its hash"),
    ("features/auth/sessions.rs refresh", "a token is found by its hash"),
    ("features/corporations/platform.rs corporations", "figures of all corporations for Super Admins"),
    (
        "features/corporations/store.rs corporation_resources_of_user",
        "a user reads their own, a Super Admin any user's",
    ),
    ("features/corporations/store.rs list", "the list of corporations for Super Admins"),
    ("features/corporations/store.rs list_all", "the list of corporations for Super Admins"),
    ("features/corporations/store.rs platform_contact", "the platform is unique"),
    ("features/corporations/store.rs with_resources", "the list of corporations for Super Admins"),
    ("features/customers/key_rotation.rs reencrypt_all", "a job for all tenants; the row has its corporation"),
    ("app/backup/contents.rs count_records", "the command that checks an installation"),
    ("app/demo/mod.rs insert_records", "checks whether any corporation exists"),
    ("features/images/store.rs get", "an image is found by its link (docs/decisions/0006-image-links.md)"),
    ("features/vehicles/photo_store.rs picture", "a photo is found by its link (docs/decisions/0006-image-links.md)"),
    ("features/vehicles/photo_store.rs thumbnail", "a photo is found by its link (docs/decisions/0006-image-links.md)"),
    ("features/import/deletion.rs sweep_old", "a job for all tenants; the row has its corporation"),
    ("features/import/store.rs claim", "a job for all tenants; the row has its corporation"),
    ("features/import/store.rs is_any_due", "a job for all tenants"),
    ("features/import/deletion.rs sweep_files", "a job for all tenants"),
    ("features/import/store.rs release_stale_claims", "a job for all tenants"),
    ("features/listing/keys.rs fill", "runs before the program serves; the row has its corporation"),
    ("features/listing/index_worker.rs insert", "SQLite's search index has no column for the corporation"),
    ("features/listing/index_worker.rs set", "an option of SQLite's search index"),
    ("features/history/chain.rs extend_all", "a job for all tenants"),
    ("features/history/pruning.rs sweep", "a job for all tenants"),
    ("features/history/chain.rs verify", "the command that checks an installation"),
    ("features/revert/steps.rs advance_all", "a job for all tenants; the row has its corporation"),
    ("features/trash/store.rs sweep_some", "a job for all tenants"),
    ("platform/mail/queue.rs claim", "a job for all tenants; the row has its corporation"),
    ("platform/mail/queue.rs outbox", "the demo's mailbox shows all mails"),
    ("platform/mail/queue.rs sweep", "a job for all tenants"),
    ("platform/metrics/mod.rs count_waiting", "queue lengths of the whole installation"),
    ("features/organizations/store.rs find", "a Super Admin looks a company up"),
    ("features/organizations/store.rs is_number_taken", "a company number is unique on an installation"),
    ("access/rights.rs find_ended", "compares the sessions of open streams with those that exist"),
    ("access/rights.rs read_rights", "finds the user of a session"),
    ("features/users/mod.rs has_super_admin", "the platform is unique"),
    ("features/users/mod.rs by_email", "a login finds the user by email"),
    ("features/users/mod.rs lock_by_email", "a login finds the user by email"),
    ("features/users/mod.rs super_admins", "the platform is unique"),
    ("features/users/store.rs corporation_of", "a Super Admin finds a user by id"),
];

/// The names in a `Listing`, which a macro makes of the table's: those of one table stand for those of all.
const LISTING: [(&str, &str); 3] = [("table", "contacts"), ("id", "contact_id"), ("search", "contacts_search")];

/// Parts of SQL in a source file: the texts of its constants, and the SQL that its functions append, by name.
#[derive(Clone, Default)]
struct Names(HashMap<String, String>);

/// An SQL statement and the function that builds it. `$` stands for each bound value.
struct Statement {
    function: String,
    text: String,
}

fn is_parenthesis(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

/// Calls `visit` with the name and body of each function that is not in a module `tests`.
fn functions(stream: TokenStream, visit: &mut impl FnMut(String, TokenStream)) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let word = |i: usize| trees.get(i).map(ToString::to_string).unwrap_or_default();
    let (mut name, mut is_test) = (None, false);
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(ident) if ident == "fn" => name = Some(word(i + 1)),
            TokenTree::Ident(ident) if ident == "mod" => is_test = word(i + 1) == "tests",
            TokenTree::Punct(punct) if punct.as_char() == ';' => name = None,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => match name.take() {
                Some(name) => visit(name, group.stream()),
                None if !is_test => functions(group.stream(), visit),
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
        let mut partials = HashMap::new();
        functions(source.clone(), &mut |function, body| {
            let mut found = Vec::new();
            names.statements(&function, body, &mut found);
            // A function that only appends SQL continues the statement of its caller.
            if let [partial] = &found[..]
                && partial.text.starts_with(PARTIAL)
            {
                partials.insert(function, partial.text.trim_start_matches(PARTIAL).to_owned());
            }
        });
        names.0.extend(partials);
        names
    }

    /// Adds the texts of constants, and of struct fields with a literal text.
    fn constants(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        for (i, tree) in trees.iter().enumerate() {
            match tree {
                // The name of a struct's field with a literal text stands for this text.
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

    /// Returns the texts in the arguments of a call, joined. If it has a text per SQL dialect, both are included.
    fn texts(&self, stream: TokenStream) -> String {
        let of = |tree: TokenTree| match &tree {
            TokenTree::Group(group) => self.texts(group.stream()),
            TokenTree::Ident(ident) => self.0.get(&ident.to_string()).cloned().unwrap_or_default(),
            _ => text(&tree).unwrap_or_default(),
        };
        stream.into_iter().map(of).collect::<Vec<_>>().join(" ")
    }

    /// Assembles the statements of a function body from the calls that build them, and appends them to `found`.
    fn statements(&self, function: &str, body: TokenStream, found: &mut Vec<Statement>) {
        let trees: Vec<TokenTree> = body.into_iter().collect();
        for (i, tree) in trees.iter().enumerate() {
            let TokenTree::Group(group) = tree else { continue };
            let callee = match i.checked_sub(1).map(|i| &trees[i]) {
                Some(TokenTree::Ident(ident)) if is_parenthesis(Some(tree)) => ident.to_string(),
                _ => String::new(),
            };
            let more = match callee.as_str() {
                "sql" | "sql_in" => {
                    let text = self.texts(group.stream());
                    found.push(Statement { function: function.to_owned(), text });
                    continue;
                }
                "push" => self.texts(group.stream()),
                "arg" | "next" => " $ ".to_owned(),
                "column" | "filter" | "push_arg" => self.texts(group.stream()) + " $ ",
                _ => {
                    self.statements(function, group.stream(), found);
                    self.0.get(&callee).cloned().unwrap_or_default()
                }
            };
            if more.is_empty() {
                continue;
            }
            if found.is_empty() {
                found.push(Statement { function: function.to_owned(), text: PARTIAL.to_owned() });
            }
            if let Some(statement) = found.last_mut() {
                statement.text.push_str(&more);
            }
        }
    }
}

/// Marks the beginning of SQL that continues the statement of a caller.
const PARTIAL: &str = "…";

/// Returns the value of a string literal; `None` for any other token.
fn text(tree: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = tree else { return None };
    syn::parse_str::<syn::LitStr>(&literal.to_string()).ok().map(|text| text.value())
}

/// Splits a statement into words and single signs in lower case, without string literals. A bound value becomes `$`.
fn tokens(sql: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for (i, outside) in sql.split('\'').enumerate() {
        if i % 2 == 1 {
            continue;
        }
        let mut was_word = false;
        for c in outside.to_lowercase().chars() {
            let is_word = c.is_alphanumeric() || c == '_' || c == '$';
            match tokens.last_mut() {
                Some(word) if is_word && was_word => word.push(c),
                _ if c.is_whitespace() => {}
                _ => tokens.push(c.to_string()),
            }
            was_word = is_word;
        }
    }
    tokens.iter().map(|word| if word.starts_with('$') { "$".to_owned() } else { word.clone() }).collect()
}

const BEFORE_A_TABLE: [&str; 5] = ["from", "join", "into", "update", ","];

/// The tables of a query (or nested query), and the conditions that name its tenant.
#[derive(Default)]
struct Level {
    tables: Vec<String>,
    /// How often the query compares or inserts a `corp_id`.
    constrained: usize,
}

/// Returns why a statement may reach rows of another tenant: a query has more tables of tenants than comparisons of
/// `corp_id`, or no tenant is bound at all. Returns `None` if it can't reach them.
fn find_fault(sql: &str, tables: &BTreeSet<String>) -> Option<String> {
    let tokens = tokens(sql);
    let word = |i: usize| tokens.get(i).map_or("", String::as_str);
    let (mut levels, mut parentheses, mut finished) = (vec![Level::default()], Vec::new(), Vec::new());
    let mut is_given = false;
    for i in 0..tokens.len() {
        let before = if i == 0 { "" } else { word(i - 1) };
        let last = levels.len() - 1;
        match word(i) {
            "(" => {
                parentheses.push(word(i + 1) == "select");
                if word(i + 1) == "select" {
                    levels.push(Level::default());
                }
            }
            ")" if parentheses.pop() == Some(true) => finished.extend(levels.pop()),
            "corp_id" => {
                // `corp_id` is a column by itself, or the first column of a tuple.
                let pair = (before == "(").then(|| (i..tokens.len()).find(|i| word(*i) == ")")).flatten();
                let next = word(pair.map_or(i + 1, |end| end + 1));
                let is_filled_in = pair.is_some() && word(i.saturating_sub(3)) == "into";
                levels[last].constrained += usize::from(is_filled_in || matches!(next, "=" | "in"));
                is_given |= is_filled_in || (next == "=" && matches!(word(i + 2), "$" | "(")) || pair.is_some();
            }
            // SQLite's search index has no `corp_id`, so it needs no comparison.
            "match" => levels[last].tables.retain(|table| table != before),
            table if tables.contains(table) && word(i + 1) != "." && BEFORE_A_TABLE.contains(&before) => {
                levels[last].tables.push(table.to_owned());
            }
            _ => {}
        }
    }
    finished.extend(levels);
    let unconstrained = finished.iter().find(|level| level.tables.len() > level.constrained);
    match unconstrained {
        Some(level) => Some(format!("{} of {:?} are compared with a tenant", level.constrained, level.tables)),
        None => (!is_given && finished.iter().any(|l| !l.tables.is_empty())).then(|| "no tenant is bound".to_owned()),
    }
}

#[tokio::test]
async fn t5_every_statement_on_a_tenant_table_names_its_tenant() {
    let app = TestApp::start().await;
    let mut names: BTreeSet<String> = tables(app.db()).await.into_iter().map(|table| table.name).collect();
    names.extend(search_tables());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut statements_read, mut faults, mut unused) =
        (0, Vec::new(), BTreeSet::from_iter(ACROSS.iter().map(|(place, _)| *place)));
    let listing = std::fs::read_to_string(root.join("features/listing/mod.rs")).unwrap();
    let mut shared = Names::of(&listing.parse().unwrap());
    shared.0.retain(|name, _| listing.contains(&format!("pub fn {name}")));
    for path in rust_files(&root) {
        let source: TokenStream = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        // A file can use the public functions of `features/listing/mod.rs`, and the constants and functions of the other
        // files in its folder.
        let mut known = shared.clone();
        let folder = path.parent().unwrap();
        if folder.ends_with("features/listing") {
            known.0.extend(LISTING.map(|(name, text)| (name.to_owned(), text.to_owned())));
        }
        for other in rust_files(folder).into_iter().filter(|other| other.parent() == Some(folder)) {
            known.0.extend(Names::of(&std::fs::read_to_string(other).unwrap().parse().unwrap()).0);
        }
        known.0.extend(Names::of(&source).0);
        let file = path.strip_prefix(&root).unwrap().display().to_string();
        functions(source, &mut |function, body| {
            let mut found = Vec::new();
            known.statements(&function, body, &mut found);
            for statement in found.iter().filter(|s| !s.text.starts_with(PARTIAL)) {
                statements_read += 1;
                let Some(fault) = find_fault(&statement.text, &names) else { continue };
                let place = format!("{file} {}", statement.function);
                if !ACROSS.iter().any(|(across, _)| *across == place) {
                    faults.push(format!("{place}: {fault}: {}", statement.text));
                }
                unused.retain(|across| *across != place);
            }
        });
    }
    println!("{statements_read} statements were read");
    assert!(statements_read > 100, "{statements_read} statements were read");
    assert!(faults.is_empty(), "{} statements:\n{}", faults.len(), faults.join("\n"));
    assert!(unused.is_empty(), "needless exceptions: {unused:?}");
}

#[test]
fn a_statement_without_its_tenant_is_found_in_every_form() {
    let tables = BTreeSet::from(["users", "roles", "contacts_search"].map(str::to_owned));
    for sql in [
        "SELECT email FROM users WHERE corp_id = $1 AND user_id = $2",
        "SELECT 1 FROM users u JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id WHERE u.corp_id = $1",
        "INSERT INTO users (corp_id, user_id) VALUES ($1, $2) ON CONFLICT (corp_id, user_id) DO NOTHING",
        "DELETE FROM users WHERE (corp_id, user_id) IN (SELECT corp_id, user_id FROM roles WHERE corp_id = $1)",
        "SELECT 1 FROM (SELECT rowid FROM contacts_search WHERE contacts_search MATCH $) CROSS JOIN users WHERE corp_id = $",
        "SELECT resource_id FROM resources",
    ] {
        assert_eq!(find_fault(sql, &tables), None, "{sql}");
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
        assert!(find_fault(sql, &tables).is_some(), "{sql}");
    }
}
