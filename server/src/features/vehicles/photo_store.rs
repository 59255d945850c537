//! The photos of vehicles in the database. The pictures are in a table of their own. The row of the vehicle has their
//! ids and sizes in pixels, in the order of the photos, so that lists need no join and the trash keeps them.

use crate::access::scope::Scope;
use crate::features::history::{self, Entry};
use crate::features::images;
use crate::features::listing::{self, VEHICLES, writes};
use crate::features::records::trash::Files;
use crate::features::records::{Entity, identity};
use crate::platform::db::{Connection, Db, Result, Tx, from_json, to_json};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::keys;
use forecourt_core::form::Checked;
use forecourt_core::history::{Change, ChangedValue, HistoryAction, PHOTO_COUNT, PHOTO_ORDER};
use forecourt_core::permissions::ResourceId;
use forecourt_core::vehicles::{PHOTOS_MAX, Photo, PhotoOrderInput, Vehicle, text};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub(super) const PHOTOS: Files = Files { table: "photos", record: "record_id" };

/// A photo as the row of its vehicle has it. Sizes are in pixels.
#[derive(Serialize, Deserialize)]
struct StoredPhoto {
    id: Uuid,
    width: u32,
    height: u32,
}

/// Parses the photos in the row of a vehicle.
pub(super) fn stored_photos(json: &str) -> Result<Vec<Photo>> {
    let stored: Vec<StoredPhoto> = from_json(json)?;
    Ok(stored.into_iter().map(shown).collect())
}

fn shown(StoredPhoto { id, width, height }: StoredPhoto) -> Photo {
    let url = format!("/api/photos/{}", id.simple());
    Photo { photo_id: id.to_string(), thumbnail: format!("{url}/thumbnail"), url, width, height }
}

fn photos_json(photos: &[Photo]) -> Result<String> {
    let id = |photo: &Photo| Uuid::try_parse(&photo.photo_id).map_err(|error| sqlx::Error::Encode(error.into()));
    let stored = photos
        .iter()
        .map(|photo| Ok(StoredPhoto { id: id(photo)?, width: photo.width, height: photo.height }))
        .collect::<Result<Vec<_>>>()?;
    to_json(&stored)
}

/// Returns a photo as JPEG. Its unguessable id is the authorization, as for other pictures
/// (docs/decisions/0006-image-links.md). While its vehicle is in the trash, it is not found.
pub(super) async fn picture(db: &Db, id: Uuid) -> Result<Vec<u8>> {
    let sql = db.sql(
        "SELECT p.bytes FROM photos p JOIN vehicles v ON v.corp_id = p.corp_id AND v.vehicle_id = p.record_id \
         WHERE p.photo_id = $1",
    );
    sql.bind(id).value().await
}

/// Returns the thumbnail of a photo, under the same conditions as [`picture`].
pub(super) async fn thumbnail(db: &Db, id: Uuid) -> Result<Vec<u8>> {
    let sql = db.sql(
        "SELECT p.thumbnail FROM photos p JOIN vehicles v ON v.corp_id = p.corp_id AND v.vehicle_id = p.record_id \
         WHERE p.photo_id = $1",
    );
    sql.bind(id).value().await
}

/// A transaction that changes the photos of a vehicle. No other request changes vehicles or photos meanwhile.
struct PhotoChange<'s> {
    scope: &'s Scope,
    tx: Tx,
    vehicle: Vehicle,
    id: Uuid,
}

impl<'s> PhotoChange<'s> {
    /// # Errors
    /// 404 if the tenant has no such vehicle.
    async fn begin(scope: &'s Scope, id: Uuid) -> ApiResult<Self> {
        let (mut tx, _) = scope.begin().await?;
        writes::lock(&mut tx, scope, &VEHICLES, false).await?;
        let row = listing::rows_in(Some(&mut tx), scope, Vehicle::COLUMNS, &VEHICLES, vec![id]).one().await?;
        Ok(PhotoChange { scope, tx, vehicle: Vehicle::from_row(row)?, id })
    }

    /// Writes the vehicle's photos, and adds the change to its history. The vehicle keeps its version, because the form
    /// of a vehicle has no photos, so that no open form gets a conflict.
    async fn commit(mut self, now: i64, photos: Vec<Photo>) -> ApiResult<Vehicle> {
        let (before, after) = (self.vehicle.photos.len(), photos.len());
        let count = |count: usize| (count > 0).then_some(ChangedValue::Number(count as i64));
        let change = match before == after {
            // A new order has no value that users could read in the history.
            true => Change { field: PHOTO_ORDER.to_owned(), before: None, after: None },
            false => Change { field: PHOTO_COUNT.to_owned(), before: count(before), after: count(after) },
        };
        set_photos(&mut self.tx, self.scope, self.id, &photos).await?;
        let label = identity::label(&self.vehicle);
        let entry = Entry::new(HistoryAction::Updated, ResourceId::Vehicles, self.id, label, &[change])?;
        history::insert(&mut self.tx, self.scope, now, vec![entry]).await?;
        self.tx.commit().await?;
        Ok(Vehicle { photo_count: photos.len() as u32, photos, ..self.vehicle })
    }
}

/// Returns whether the vehicle has the photo of this upload. `false` if the client gave the upload no id.
pub(super) async fn has_upload(
    db: impl Connection<'_>,
    scope: &Scope,
    vehicle: Uuid,
    upload: Option<Uuid>,
) -> Result<bool> {
    let Some(upload) = upload else { return Ok(false) };
    let sql = db.sql("SELECT 1 FROM photos WHERE corp_id = $1 AND record_id = $2 AND upload_id = $3");
    sql.bind_all((scope.corp(), vehicle, upload)).exists().await
}

/// Adds a photo after the vehicle's others, unless the vehicle has it already. All photos of the corporation, including
/// those in the trash, may take up `max_bytes`.
///
/// # Errors
/// 404 if the tenant has no such vehicle; 409 if there is no room for the photo.
pub(super) async fn add(
    scope: &Scope,
    now: i64,
    vehicle: Uuid,
    photo: images::Photo,
    upload: Option<Uuid>,
    max_bytes: i64,
) -> ApiResult<Vehicle> {
    let mut change = PhotoChange::begin(scope, vehicle).await?;
    if has_upload(&mut change.tx, scope, vehicle, upload).await? {
        return Ok(change.vehicle);
    }
    require_place(&change.vehicle)?;
    let size = (photo.bytes.len() + photo.thumbnail.len()) as i64;
    let sql = change.tx.sql("SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM photos WHERE corp_id = $1");
    let used: i64 = sql.bind(scope.corp()).value().await?;
    if used + size > max_bytes {
        return Err(ApiError::Conflict(text::photo_storage_full(max_bytes.unsigned_abs() >> 30)));
    }
    let added = insert(&mut change.tx, scope, vehicle, photo, upload, now).await?;
    let mut photos = change.vehicle.photos.clone();
    photos.push(added);
    change.commit(now, photos).await
}

/// Adds these photos to a vehicle that has none, for the demo.
pub(crate) async fn insert_all(
    tx: &mut Tx,
    scope: &Scope,
    vehicle: Uuid,
    photos: Vec<images::Photo>,
    now: i64,
) -> ApiResult<()> {
    let mut shown = Vec::new();
    for photo in photos {
        shown.push(insert(tx, scope, vehicle, photo, None, now).await?);
    }
    set_photos(tx, scope, vehicle, &shown).await?;
    Ok(())
}

/// Inserts a photo with its thumbnail, under a new random id.
async fn insert(
    tx: &mut Tx,
    scope: &Scope,
    vehicle: Uuid,
    photo: images::Photo,
    upload: Option<Uuid>,
    now: i64,
) -> ApiResult<Photo> {
    let images::Photo { bytes, thumbnail, width, height } = photo;
    let size = (bytes.len() + thumbnail.len()) as i64;
    // 128 random bits, because the link must not be guessable.
    let id = Uuid::from_bytes(keys::random()?);
    let sql = tx.sql(
        "INSERT INTO photos (corp_id, photo_id, record_id, size, bytes, thumbnail, created_at, upload_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    );
    sql.bind_all((scope.corp(), id, vehicle, size, bytes, thumbnail, now, upload)).exec().await?;
    Ok(shown(StoredPhoto { id, width, height }))
}

/// Writes the ids, widths, heights and order of photos to the row of their vehicle.
async fn set_photos(tx: &mut Tx, scope: &Scope, vehicle: Uuid, photos: &[Photo]) -> Result<()> {
    let sql = tx.sql("UPDATE vehicles SET photos = $1 WHERE corp_id = $2 AND vehicle_id = $3");
    sql.bind_all((photos_json(photos)?, scope.corp(), vehicle)).exec().await.map(|_| ())
}

/// # Errors
/// 409 if the vehicle has the maximum number of photos.
pub(super) fn require_place(vehicle: &Vehicle) -> ApiResult<()> {
    match vehicle.photo_count < PHOTOS_MAX {
        true => Ok(()),
        false => Err(ApiError::Conflict(text::too_many_photos(PHOTOS_MAX.into()))),
    }
}

/// Puts the photos of a vehicle in another order. If the order is the same already, nothing is written.
///
/// # Errors
/// 404 if the tenant has no such vehicle; 409 if the request's photos are not exactly those of the vehicle, or if they
/// had another order when the request was made.
pub(super) async fn order(
    scope: &Scope,
    now: i64,
    vehicle: Uuid,
    form: Checked<PhotoOrderInput>,
) -> ApiResult<Vehicle> {
    let change = PhotoChange::begin(scope, vehicle).await?;
    let photos = &change.vehicle.photos;
    let ids = || photos.iter().map(|photo| photo.photo_id.as_str());
    if !form.is_order_of(ids()) {
        return Err(ApiError::Conflict(text::PHOTOS_CHANGED.clone()));
    }
    let of_id = |id: &String| photos.iter().find(|photo| photo.photo_id == *id).cloned();
    let ordered: Vec<Photo> = form.order.iter().filter_map(of_id).collect();
    if ordered == *photos {
        return Ok(change.vehicle);
    }
    if !form.is_based_on(ids()) {
        return Err(ApiError::Conflict(text::PHOTO_ORDER_CHANGED.clone()));
    }
    change.commit(now, ordered).await
}

/// Deletes a photo for good: it does not go to the trash.
///
/// # Errors
/// 404 if the tenant has no such vehicle, or the vehicle no such photo.
pub(super) async fn remove(scope: &Scope, now: i64, vehicle: Uuid, photo: Uuid) -> ApiResult<Vehicle> {
    let mut change = PhotoChange::begin(scope, vehicle).await?;
    let sql = change.tx.sql("DELETE FROM photos WHERE corp_id = $1 AND record_id = $2 AND photo_id = $3");
    if sql.bind_all((scope.corp(), vehicle, photo)).exec().await? == 0 {
        return Err(ApiError::NotFound);
    }
    let id = photo.to_string();
    let photos = change.vehicle.photos.iter().filter(|photo| photo.photo_id != id).cloned().collect();
    change.commit(now, photos).await
}
