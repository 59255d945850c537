//! Doors to corporations and their users.

use crate::{api, checks};
use forecourt_call::{Call, Failure};
use forecourt_core::auth::{self, BanInput};
use forecourt_core::corporations::{self, Corporation, CorporationList, CorporationQuery, CorporationUser};
use forecourt_core::reply::{Done, Reply};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

checks! {
    checkBan = check_ban(BanInput), "Checks the reason of a ban.";
}

/// How many corporations stand on a page of the screen.
#[wasm_bindgen(js_name = corporationsPageSize)]
pub fn corporations_page_size() -> u32 {
    corporations::SCREEN_PAGE_SIZE
}

/// A page of corporations.
#[wasm_bindgen(js_name = listCorporations)]
pub async fn list_corporations(query: Ts<CorporationQuery>) -> Result<Ts<CorporationList>, Failure> {
    let query = query.to_rust()?;
    let call = Call::get(corporations::PATH)
        .query("page", &query.page.to_string())
        .query("limit", &query.limit.to_string())
        .query("search", &query.search);
    Ok(api::call(&call).await?.read::<CorporationList>()?.into_ts()?)
}

/// One corporation.
#[wasm_bindgen(js_name = getCorporation)]
pub async fn get_corporation(corp_id: String) -> Result<Ts<Corporation>, Failure> {
    let reply: Reply<Corporation> = api::call(&Call::get(corporations::PATH).under(&corp_id)).await?.read()?;
    Ok(reply.data.into_ts()?)
}

/// The users of a corporation.
#[wasm_bindgen(js_name = listCorporationUsers)]
pub async fn list_corporation_users(corp_id: String) -> Result<Vec<Ts<CorporationUser>>, Failure> {
    let call = Call::get(corporations::PATH).under(&corp_id).under("users");
    let reply: Reply<Vec<CorporationUser>> = api::call(&call).await?.read()?;
    reply.data.iter().map(|user| Ok(user.into_ts()?)).collect()
}

/// Bans a user: they are signed out everywhere, and can't sign in.
#[wasm_bindgen(js_name = banUser)]
pub async fn ban_user(id: String, form: Ts<BanInput>) -> Result<Ts<Done>, Failure> {
    let call = Call::post(auth::USERS, &form.to_rust()?)?.under(&id).under("ban");
    Ok(api::call(&call).await?.read::<Done>()?.into_ts()?)
}

/// Lifts a user's ban.
#[wasm_bindgen(js_name = liftBan)]
pub async fn lift_ban(id: String) -> Result<Ts<Done>, Failure> {
    let call = Call::delete(auth::USERS).under(&id).under("ban");
    Ok(api::call(&call).await?.read::<Done>()?.into_ts()?)
}
