//! Tenants, users, and something of each kind that an id can name. All are inserted into the database directly.

use crate::records::{RECORDS, TestRecord};
use forecourt::platform::db::{Db, Sql};
use forecourt_core::permissions::{Grant, Permissions, ResourceId, UserType, all_entries, assignable_entries};
use uuid::Uuid;

/// The kinds of things that an id can name. Only `Resource` is a resource in the sense of the glossary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// A record of this list ([`RECORDS`]).
    Record(&'static str),
    /// A comment, which belongs to a contact.
    Comment,
    /// A private view, which only its owner sees.
    View,
    Import,
    /// A history entry about a change of a contact's name.
    Change,
    Role,
    /// A user, whom only users of the same corporation can reach.
    User,
    /// An image, which any client with its link can request.
    Image,
    /// A vehicle's photo, named by the ids of vehicle and photo.
    VehiclePhoto,
    /// A vehicle's photo, named by its id alone. Any client with its link can request it.
    Photo,
    /// A user, whom a platform administrator can reach in every corporation.
    PlatformUser,
    /// The user that sends the request. A platform administrator can also reach all other users.
    OwnUser,
    Corporation,
    /// A corporation that waits for approval.
    SignUp,
    /// An entry of the menu, which is the same in every installation.
    MenuEntry,
    /// A resource of the catalogue. `corporations` can't be assigned to a corporation.
    Resource,
}

/// The tenants in which a user can reach a resource by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The user's own tenant.
    Tenant,
    /// Every tenant for a platform administrator, for other users their own.
    Platform,
    /// Every tenant, for all users.
    Everyone,
}

impl ResourceKind {
    pub fn all() -> impl Iterator<Item = ResourceKind> {
        use ResourceKind::*;
        let others = [
            Comment,
            View,
            Import,
            Change,
            Role,
            User,
            Image,
            VehiclePhoto,
            Photo,
            PlatformUser,
            OwnUser,
            Corporation,
            SignUp,
            MenuEntry,
            Resource,
        ];
        RECORDS.iter().map(|record| Record(record.list)).chain(others)
    }

    /// Returns whether two tenants can each have a resource of this kind with the same id.
    pub fn can_share_ids(self) -> bool {
        self.reach() == Reach::Tenant && !matches!(self, ResourceKind::User | ResourceKind::VehiclePhoto)
    }

    /// Returns the kind of the parent, whose id comes before the resource's own id in a path; `None` without a parent.
    pub fn parent(self) -> Option<ResourceKind> {
        match self {
            ResourceKind::Comment => Some(ResourceKind::Record("contacts")),
            ResourceKind::VehiclePhoto => Some(ResourceKind::Record("vehicles")),
            _ => None,
        }
    }

    /// Returns the number of ids that a path needs to name a resource of this kind.
    pub fn depth(self) -> usize {
        1 + self.parent().map_or(0, ResourceKind::depth)
    }

    /// Returns the tenants in which a user can reach a resource of this kind by its id.
    pub fn reach(self) -> Reach {
        match self {
            ResourceKind::Record(_)
            | ResourceKind::Comment
            | ResourceKind::VehiclePhoto
            | ResourceKind::View
            | ResourceKind::Import
            | ResourceKind::Change
            | ResourceKind::Role
            | ResourceKind::User => Reach::Tenant,
            ResourceKind::PlatformUser | ResourceKind::OwnUser | ResourceKind::Corporation | ResourceKind::SignUp => {
                Reach::Platform
            }
            ResourceKind::Image | ResourceKind::Photo | ResourceKind::MenuEntry | ResourceKind::Resource => {
                Reach::Everyone
            }
        }
    }
}

/// A corporation, and the ids of two of its roles: `full` grants everything, `reading` grants reading everything.
#[derive(Clone, Copy, Debug)]
pub struct Tenant {
    pub corp: Uuid,
    pub full: Uuid,
    pub reading: Uuid,
}

/// Returns the ids of all assignable resources. In these tests, every corporation has them.
pub fn allowed() -> Vec<String> {
    assignable_entries().map(|entry| entry.resource_id().to_owned()).collect()
}

/// Returns a grant of these permissions for every assignable resource and subresource.
pub fn grants(permissions: Permissions) -> Vec<Grant> {
    let all = all_entries().filter(|entry| entry.is_assignable());
    all.map(|entry| Grant { resource_id: entry.resource_id().to_owned(), permissions }).collect()
}

pub const READING: Permissions = Permissions { can_read: true, ..Permissions::NONE };

pub async fn create_tenant(db: &Db, name: &str) -> Tenant {
    insert_tenant(db, name, [Uuid::now_v7(), Uuid::now_v7()]).await
}

/// Creates a tenant whose roles have the same ids as those of `tenant`, but swapped: a query that ignores the
/// corporation would find the wrong role.
pub async fn insert_tenant_with_swapped_roles(db: &Db, name: &str, tenant: &Tenant) -> Tenant {
    insert_tenant(db, name, [tenant.reading, tenant.full]).await
}

async fn insert_tenant(db: &Db, name: &str, roles: [Uuid; 2]) -> Tenant {
    let corp = Uuid::now_v7();
    let mut tx = db.begin().await.unwrap();
    tx.sql("INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, $2, 0, 0)")
        .bind_all((corp, name.to_owned()))
        .exec()
        .await
        .unwrap();
    for resource in allowed() {
        tx.sql("INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)")
            .bind_all((corp, resource))
            .exec()
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    insert_record_and_roles(db, corp, roles).await
}

/// Inserts a company record and the two roles for an existing corporation.
pub async fn insert_record_and_roles(db: &Db, corp: Uuid, [full, reading]: [Uuid; 2]) -> Tenant {
    db.sql(
        "INSERT INTO organizations (corp_id, organization_number, number_key, created_at, updated_at) \
         VALUES ($1, $2, $2, 0, 0)",
    )
    .bind_all((corp, corp.simple().to_string().to_uppercase()))
    .exec()
    .await
    .unwrap();
    insert_role(db, corp, full, Permissions::ALL).await;
    insert_role(db, corp, reading, READING).await;
    Tenant { corp, full, reading }
}

async fn insert_role(db: &Db, corp: Uuid, role: Uuid, permissions: Permissions) {
    let mut tx = db.begin().await.unwrap();
    tx.sql("INSERT INTO roles (corp_id, role_id, name, description, created_at, updated_at) VALUES ($1,$2,$3,$3,0,0)")
        .bind_all((corp, role, role.to_string()))
        .exec()
        .await
        .unwrap();
    for Grant { resource_id, permissions } in grants(permissions) {
        tx.sql(
            "INSERT INTO role_permissions (corp_id, role_id, resource_id, can_read, can_create, can_update, \
             can_delete) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind_all((
            corp,
            role,
            resource_id,
            permissions.can_read,
            permissions.can_create,
            permissions.can_update,
            permissions.can_delete,
        ))
        .exec()
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
}

/// Inserts a user with the password of the first Super Admin, and returns the id.
pub async fn insert_user(db: &Db, corp: Uuid, email: &str, user_type: UserType, role: Option<Uuid>) -> Uuid {
    let user = Uuid::now_v7();
    db.sql(
        "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, role_id, password_hash, \
         created_at, updated_at) SELECT $1, $2, $3, 'Ada', 'Lindqvist', '+46 70 123 45 67', $4, $5, u.password_hash, 0, 0 \
         FROM users u WHERE u.user_type = 'Super Admin' ORDER BY u.user_id LIMIT 1",
    )
    .bind_all((corp, user, email.to_owned(), user_type.as_str(), role))
    .exec()
    .await
    .unwrap();
    user
}

/// The ids with which a path names a resource: its parent's id, if it has a parent, and then its own.
pub type Ids = Vec<String>;

/// Returns all combinations that begin with ids of one resource and end with ids of the other.
pub fn mix_ids(one: &Ids, other: &Ids) -> Vec<Ids> {
    let joined = |from: &Ids, to: &Ids, at: usize| [&from[..at], &to[at..]].concat();
    (1..one.len()).flat_map(|at| [joined(one, other, at), joined(other, one, at)]).collect()
}

/// Inserts a resource of this kind into the corporation with random ids, and returns these. `by` is the author of a
/// comment or the owner of a view; a new user if `None`. Inserts nothing for a corporation, a menu entry or a resource
/// of the catalogue: returns the id of `corp`, or `contacts`. A sign-up is a new corporation.
pub async fn insert_resource(db: &Db, resource: ResourceKind, corp: Uuid, by: Option<Uuid>) -> Ids {
    let ids: Vec<_> = (0..resource.depth()).map(|_| Uuid::now_v7()).collect();
    insert_resource_with_ids(db, resource, corp, by, &ids).await
}

/// As [`insert_resource`], but with these ids. Users, corporations, sign-ups, menu entries and resources of the
/// catalogue ignore them.
pub async fn insert_resource_with_ids(
    db: &Db,
    resource: ResourceKind,
    corp: Uuid,
    by: Option<Uuid>,
    ids: &[Uuid],
) -> Ids {
    let (_, outer_ids) = ids.split_last().unwrap();
    let mut made = match resource.parent() {
        Some(outer) => Box::pin(insert_resource_with_ids(db, outer, corp, by, outer_ids)).await,
        None => Vec::new(),
    };
    made.push(insert_row(db, resource, corp, by, ids).await);
    made
}

async fn insert_row(db: &Db, resource: ResourceKind, corp: Uuid, by: Option<Uuid>, ids: &[Uuid]) -> String {
    let id = ids[ids.len() - 1];
    let sql = match resource {
        ResourceKind::Corporation => return corp.to_string(),
        ResourceKind::MenuEntry | ResourceKind::Resource => return ResourceId::Contacts.as_str().to_owned(),
        ResourceKind::User | ResourceKind::PlatformUser | ResourceKind::OwnUser => return insert_plain_user(db, corp).await.to_string(),
        ResourceKind::SignUp => {
            let corp = create_tenant(db, "Waiting").await.corp;
            let waits = "UPDATE corporations SET active = FALSE, awaits_approval = TRUE WHERE corp_id = $1";
            db.sql(waits).bind(corp).exec().await.unwrap();
            return corp.to_string();
        }
        ResourceKind::Role => {
            insert_role(db, corp, id, READING).await;
            return id.to_string();
        }
        ResourceKind::Record(list) => {
            assert_eq!(TestRecord::find(list).insert(db, corp, id, "Ada Öberg").await.unwrap(), 1);
            return id.to_string();
        }
        ResourceKind::Comment => db
            .sql(
                "INSERT INTO comments (corp_id, contact_id, comment_id, user_id, comment, created_at, updated_at) \
                 VALUES ($1, $2, $3, $4, 'Called', 0, 0)",
            )
            .bind_all((corp, ids[0], id))
            .bind(author(db, corp, by).await),
        ResourceKind::View => db
            .sql(
                "INSERT INTO views (corp_id, view_id, user_id, resource_id, name, search, sort, conditions, columns, density, \
                 is_shared, created_at, updated_at) \
                 VALUES ($1, $2, $3, 'contacts', 'Mine', '', '', '[]', '[]', 'compact', FALSE, 0, 0)",
            )
            .bind_all((corp, id))
            .bind(author(db, corp, by).await),
        ResourceKind::Import => db
            .sql(
                "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, status, cancelled_at, \
                 created_at, updated_at) VALUES ($1, $2, $3, 'people.csv', 1, $4, 'failed', 0, 0, 0)",
            )
            .bind_all((corp, id, insert_plain_user(db, corp).await))
            .bind(sqlx::types::Json(serde_json::json!([]))),
        ResourceKind::Change => {
            let contact = Uuid::now_v7();
            assert_eq!(TestRecord::find("contacts").insert(db, corp, contact, "Ada Öberg").await.unwrap(), 1);
            db.sql(
                "INSERT INTO history (corp_id, history_id, at, actor_id, action, resource_id, record_id, label, changes) \
                 VALUES ($1, $2, 0, $3, 'updated', 'contacts', $4, 'Ada Öberg', $5)",
            )
            .bind_all((corp, id, insert_plain_user(db, corp).await, contact))
            .bind(r#"[{"field":"name","before":"Ada","after":"Ada Öberg"}]"#.to_owned())
        }
        ResourceKind::Image => db
            .sql(
                "INSERT INTO images (corp_id, image_id, user_id, mime, bytes, created_at) \
                 VALUES ($1, $2, $3, 'image/png', $4, 0)",
            )
            .bind_all((corp, id, insert_plain_user(db, corp).await))
            .bind(b"a picture".to_vec()),
        ResourceKind::VehiclePhoto => insert_photo(db, corp, ids[0], id).await,
        ResourceKind::Photo => {
            let vehicle = Uuid::now_v7();
            assert_eq!(TestRecord::find("vehicles").insert(db, corp, vehicle, "Volvo V60").await.unwrap(), 1);
            insert_photo(db, corp, vehicle, id).await
        }
    };
    sql.exec().await.unwrap();
    id.to_string()
}

/// Gives a vehicle its only photo, and withdraws it from stock, where a VIN must be unique. Returns the statement that
/// inserts the photo's bytes; the caller executes it.
async fn insert_photo(db: &Db, corp: Uuid, vehicle: Uuid, id: Uuid) -> Sql<'_> {
    db.sql("UPDATE vehicles SET photos = $1, status = 'Withdrawn' WHERE corp_id = $2 AND vehicle_id = $3")
        .bind_all((format!(r#"[{{"id":"{id}","width":4,"height":3}}]"#), corp, vehicle))
        .exec()
        .await
        .unwrap();
    db.sql(
        "INSERT INTO photos (corp_id, photo_id, record_id, size, bytes, thumbnail, created_at) \
         VALUES ($1, $2, $3, 2, $4, $4, 0)",
    )
    .bind_all((corp, id, vehicle, b"a photo".to_vec()))
}

/// Returns this user, or else a new one.
async fn author(db: &Db, corp: Uuid, by: Option<Uuid>) -> Uuid {
    match by {
        Some(user) => user,
        None => insert_plain_user(db, corp).await,
    }
}

/// Inserts a user without a role.
async fn insert_plain_user(db: &Db, corp: Uuid) -> Uuid {
    insert_user(db, corp, &format!("{}@plain.example", Uuid::now_v7().simple()), UserType::User, None).await
}

/// Inserts and deletes a resource of this kind, and returns its ids. Returns `None` for kinds that can't be deleted.
pub async fn insert_deleted(db: &Db, resource: ResourceKind, corp: Uuid) -> Option<Ids> {
    let corp = if resource == ResourceKind::Corporation { create_tenant(db, "Deleted").await.corp } else { corp };
    let text = match resource {
        ResourceKind::MenuEntry | ResourceKind::Resource => return None,
        ResourceKind::Record(list) => {
            let ids = insert_resource(db, resource, corp, None).await;
            assert_eq!(TestRecord::find(list).delete(db, ids[0].parse().unwrap()).await, 1, "{resource:?}");
            return Some(ids);
        }
        ResourceKind::Role => "DELETE FROM roles WHERE role_id = $1",
        ResourceKind::Comment => "DELETE FROM comments WHERE comment_id = $1",
        ResourceKind::View => "DELETE FROM views WHERE view_id = $1",
        ResourceKind::Import => "DELETE FROM imports WHERE import_id = $1",
        ResourceKind::Change => "DELETE FROM history WHERE history_id = $1",
        ResourceKind::Image => "DELETE FROM images WHERE image_id = $1",
        ResourceKind::VehiclePhoto | ResourceKind::Photo => "DELETE FROM photos WHERE photo_id = $1",
        ResourceKind::User | ResourceKind::PlatformUser | ResourceKind::OwnUser => {
            "DELETE FROM users WHERE user_id = $1"
        }
        ResourceKind::Corporation | ResourceKind::SignUp => "DELETE FROM corporations WHERE corp_id = $1",
    };
    let ids = insert_resource(db, resource, corp, None).await;
    let id: Uuid = ids[ids.len() - 1].parse().unwrap();
    assert_eq!(db.sql(text).bind(id).exec().await.unwrap(), 1, "{resource:?}");
    Some(ids)
}
