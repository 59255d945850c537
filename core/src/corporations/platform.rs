//! What the platform's administrator sees first: the corporations, who uses them, and what needs attention.

use crate::import::ImportStatus;
use serde::{Deserialize, Serialize};

/// Maximum number of corporations, bans and imports in each list of the figures.
pub const PLATFORM_ROWS: usize = 8;
/// A user is active if they signed in within this many days.
pub const ACTIVE_DAYS: i64 = 7;

api_types!(
    /// The figures of the whole platform.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PlatformFigures {
        /// Number of corporations, without the platform's own.
        pub corporations: u64,
        /// How many of the `corporations` were created this month.
        pub new_corporations: u64,
        pub users: u64,
        /// How many of the `users` signed in within the last seven days.
        pub active_users: u64,
        /// Number of records in the modules' lists, of all corporations.
        pub records: u64,
        /// Number of corporations that signed up and wait for approval.
        pub waiting_count: u64,
        /// The corporations that have waited for approval for longest.
        pub waiting: Vec<CorporationFigures>,
        /// Corporations that do not wait for approval, the most recently used ones first.
        pub active: Vec<CorporationFigures>,
        /// Imports that have not ended.
        pub imports: Vec<PlatformImport>,
        /// The latest bans that are in force.
        pub bans: Vec<PlatformBan>,
        /// The program's version.
        pub version: String,
        /// SQLite or PostgreSQL.
        pub database: String,
        pub database_bytes: u64,
        /// Absent if the system does not report it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub disk: Option<DiskSpace>,
    }

    /// The space on the disk that contains the data folder.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DiskSpace {
        /// What the program can still use.
        pub free_bytes: u64,
        pub total_bytes: u64,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CorporationFigures {
        pub corp_id: String,
        pub name: String,
        pub city: String,
        pub active: bool,
        /// Name and e-mail address of the first Admin; empty if there is none.
        pub admin_name: String,
        pub admin_email: String,
        pub users: u64,
        pub active_users: u64,
        pub records: u64,
        /// RFC 3339, UTC.
        pub created_at: String,
        /// When a user last signed in or out, or renewed a session; absent if never.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub last_active: Option<String>,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PlatformImport {
        pub id: String,
        pub corporation: String,
        pub file_name: String,
        pub status: ImportStatus,
        pub total: u64,
        pub processed: u64,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PlatformBan {
        pub user_id: String,
        pub name: String,
        pub corp_id: String,
        pub corporation: String,
        pub reason: String,
        /// RFC 3339, UTC.
        pub banned_at: String,
    }
);

/// A corporation with what decides in which list it is.
pub struct ListedCorporation {
    pub figures: CorporationFigures,
    pub awaits_approval: bool,
    pub is_new: bool,
}

impl PlatformFigures {
    /// Adds up these corporations and lists the most important ones.
    pub fn add_corporations(mut self, corporations: Vec<ListedCorporation>) -> Self {
        for ListedCorporation { figures, awaits_approval, is_new } in corporations {
            self.corporations += 1;
            self.new_corporations += u64::from(is_new);
            self.users += figures.users;
            self.active_users += figures.active_users;
            self.records += figures.records;
            self.waiting_count += u64::from(awaits_approval);
            if awaits_approval { &mut self.waiting } else { &mut self.active }.push(figures);
        }
        self.waiting.sort_by(|a, b| a.created_at.cmp(&b.created_at));
        self.active.sort_by(|a, b| b.last_active.cmp(&a.last_active).then_with(|| a.name.cmp(&b.name)));
        self.waiting.truncate(PLATFORM_ROWS);
        self.active.truncate(PLATFORM_ROWS);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corporation(name: &str, last_active: Option<&str>, awaits_approval: bool) -> ListedCorporation {
        let figures = CorporationFigures {
            corp_id: name.to_owned(),
            name: name.to_owned(),
            city: String::new(),
            active: !awaits_approval,
            admin_name: String::new(),
            admin_email: String::new(),
            users: 3,
            active_users: 1,
            records: 10,
            created_at: format!("2026-{name}"),
            last_active: last_active.map(str::to_owned),
        };
        ListedCorporation { figures, awaits_approval, is_new: awaits_approval }
    }

    fn names(corporations: &[CorporationFigures]) -> Vec<&str> {
        corporations.iter().map(|corporation| corporation.name.as_str()).collect()
    }

    #[test]
    fn waiting_corporations_are_listed_apart_and_the_others_by_activity() {
        let figures = PlatformFigures::default().add_corporations(vec![
            corporation("11", None, false),
            corporation("10", Some("2026-11-01"), false),
            corporation("09", None, true),
            corporation("08", None, true),
            corporation("07", Some("2026-11-27"), false),
        ]);
        assert_eq!((names(&figures.waiting), names(&figures.active)), (vec!["08", "09"], vec!["07", "10", "11"]));
        assert_eq!((figures.corporations, figures.new_corporations), (5, 2));
        assert_eq!((figures.users, figures.active_users, figures.records), (15, 5, 50));
    }

    #[test]
    fn only_the_most_active_corporations_are_listed_but_all_are_counted() {
        let all = (0..20).map(|n| corporation(&format!("{n:02}"), None, false)).collect();
        let figures = PlatformFigures::default().add_corporations(all);
        assert_eq!((figures.active.len(), figures.corporations), (PLATFORM_ROWS, 20));
        let all = (0..20).map(|n| corporation(&format!("{n:02}"), None, true)).collect();
        let figures = PlatformFigures::default().add_corporations(all);
        assert_eq!((figures.waiting.len(), figures.waiting_count), (PLATFORM_ROWS, 20));
    }
}
