//! The devices on which users sign in. A login code is valid on one device only, and a device that is trusted needs no
//! code.

use crate::features::state::App;
use crate::features::users::Account;
use crate::platform::clock::DAY;
use crate::platform::db::{self, Tx};
use crate::platform::keys::Keys;
use forecourt_core::auth::REMEMBER_DAYS;
use uuid::Uuid;

/// A user's device. Its id is stored only as a keyed hash that includes the user's id.
pub(super) struct Device {
    pub corp: Uuid,
    pub user: Uuid,
    pub hash: Vec<u8>,
}

impl Device {
    /// Returns the device with this id of an account. If there is no account, the ids of its corporation and user are
    /// nil, so that an unknown e-mail causes the same queries.
    pub fn of(keys: &Keys, account: Option<&Account>, device_id: &str) -> Self {
        let (corp, user) = account.map_or((Uuid::nil(), Uuid::nil()), |a| (a.corp_id, a.user_id));
        Device { corp, user, hash: keys.mac("device", &[user.as_bytes(), device_id.as_bytes()]) }
    }

    /// Returns whether the user can sign in on this device without a code.
    pub async fn is_trusted(&self, app: &App) -> db::Result<bool> {
        app.db
            .sql(
                "SELECT trusted_until FROM trusted_devices \
                 WHERE corp_id = $1 AND user_id = $2 AND device_hash = $3 AND trusted_until > $4",
            )
            .bind_all((self.corp, self.user, self.hash.clone(), app.clock.now()))
            .exists()
            .await
    }

    /// Trusts the device for 30 days from now.
    pub async fn trust(&self, tx: &mut Tx, now: i64) -> db::Result<()> {
        tx.sql(
            "INSERT INTO trusted_devices (corp_id, user_id, device_hash, trusted_until) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (corp_id, user_id, device_hash) DO UPDATE SET trusted_until = excluded.trusted_until",
        )
        .bind_all((self.corp, self.user, self.hash.clone(), now + REMEMBER_DAYS * DAY))
        .exec()
        .await?;
        Ok(())
    }
}
