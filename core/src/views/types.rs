//! The JSON types of views.

use crate::lists::ConditionInput;
use serde::{Deserialize, Serialize};

/// GET returns the views (with `?resource=` those of one list), POST creates one; PUT and DELETE on `{PATH}/{view_id}`.
pub const PATH: &str = "/api/views";

/// The row heights that a view can choose.
pub const DENSITIES: &[&str] = &["comfortable", "compact"];
/// Who sees a view: `mine` its owner, `shared` every user of the corporation who may read the list.
pub const SCOPES: &[&str] = &["mine", SHARED];
pub const SHARED: &str = "shared";

api_types!(
    /// A saved view. It may name fields that its list no longer has.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct View {
        pub view_id: String,
        /// The id of the resource whose list the view shows.
        pub resource: String,
        pub name: String,
        pub query: ViewQuery,
        /// The columns in the order of the screen. Columns that are not named here have their default place.
        pub columns: Vec<ViewColumn>,
        /// The height of the rows: `comfortable` or `compact`.
        pub density: String,
        /// Who sees the view: its owner (`mine`), or every user of the corporation who may read the list (`shared`).
        pub scope: String,
        /// Whether the list opens with this view for the signed-in user.
        pub is_default: bool,
        /// Whether the view sorts or filters by a field that the signed-in user no longer sees. Then it can only be
        /// deleted, and has no query.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub is_restricted: bool,
        pub owner: ViewOwner,
        /// Increases with every update; used to detect conflicting updates.
        pub version: i64,
    }

    /// The user who saved a view.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ViewOwner {
        /// The user's id. Empty if the account was deleted.
        pub id: String,
        /// The user's name, or a text that stands for a deleted account.
        pub name: String,
    }
);

forms!(
    /// The query parameters of a list that a view saves: search, sort order and filter; of customers also their filter
    /// by type and date.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ViewQuery {
        pub search: String,
        pub sort: String,
        pub filter: Vec<ConditionInput>,
        /// Only for customers, like `fromDate` and `toDate`. Empty texts do not filter. An update with none of the
        /// three keeps the stored ones, because a client of an older version does not know them.
        #[serde(rename = "typeAdv", skip_serializing_if = "Option::is_none")]
        pub type_adv: Option<String>,
        /// Only for customers.
        #[serde(rename = "fromDate", skip_serializing_if = "Option::is_none")]
        pub from_date: Option<String>,
        /// Only for customers.
        #[serde(rename = "toDate", skip_serializing_if = "Option::is_none")]
        pub to_date: Option<String>,
    }

    /// A column of a view.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ViewColumn {
        pub field: String,
        /// Width in pixels.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub width: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub hidden: Option<bool>,
    }

    /// The form of a view.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct ViewInput {
        /// The id of the resource whose list the view shows. An update must name the same resource as the stored view.
        pub resource: String,
        pub name: String,
        pub query: ViewQuery,
        pub columns: Vec<ViewColumn>,
        /// `comfortable` or `compact`. Empty means `comfortable` for a new view. In an update, the stored one is kept.
        pub density: String,
        /// `mine` or `shared`. Empty means `mine` for a new view. In an update, the stored one is kept.
        pub scope: String,
        /// Whether the list opens with this view for the signed-in user. Each user has at most one such view per list.
        /// Absent means `false` for a new view. In an update, it stays as it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub is_default: Option<bool>,
        /// The version that an update is based on.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub version: Option<i64>,
    }
);

impl ViewInput {
    pub fn is_shared(&self) -> bool {
        self.scope == SHARED
    }
}
