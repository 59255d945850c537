//! Extractors: the validated body of a request, the ids in its path, and its query.

use super::error::{Answer, Refusal};
use super::state::Platform;
use axum::Json;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use forecourt_core::form::{ChangesWebsite, Checked, Form, check_in};
use forecourt_core::paging::{Page, PageQuery, read_search};
use forecourt_core::text;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// A JSON body that passed its form's rules: the only way in for a body that writes.
pub struct Valid<F>(pub Checked<F>);

impl<F: Form + DeserializeOwned, S: AsRef<Platform> + Send + Sync> FromRequest<S> for Valid<F> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Answer<Self> {
        Ok(Valid(check_in(state.as_ref().config.house_rules(), read_json::<F>(request).await?)?))
    }
}

async fn read_json<F: DeserializeOwned>(request: Request) -> Answer<F> {
    let read = Json::<F>::from_request(request, &()).await;
    read.map(|Json(form)| form).map_err(|rejection| match rejection {
        JsonRejection::MissingJsonContentType(_) => Refusal::NotJson,
        JsonRejection::BytesRejection(BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_))) => {
            Refusal::TooLarge
        }
        // The parser's own words may repeat the value, which may be a password.
        _ => Refusal::invalid(text::BODY_UNREADABLE),
    })
}

/// A JSON body that changes a record with a website. It is checked once the handler knows which website is stored.
pub struct Change<F>(F);

impl<F: ChangesWebsite> Change<F> {
    /// Checks the form. The `stored` website is accepted unchanged, even if it breaks the rule of today.
    ///
    /// # Errors
    /// 400 with every broken rule.
    pub fn check(mut self, platform: &Platform, stored: Option<String>) -> Answer<Checked<F>> {
        self.0.set_stored_website(stored);
        Ok(check_in(platform.config.house_rules(), self.0)?)
    }
}

impl<F: ChangesWebsite + DeserializeOwned, S: Send + Sync> FromRequest<S> for Change<F> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Answer<Self> {
        Ok(Change(read_json(request).await?))
    }
}

/// An id in the path. One that isn't a UUID names nothing, so it is a 404.
pub struct Id(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| Refusal::NotFound)?;
        Uuid::parse_str(&text).map(Id).map_err(|_| Refusal::NotFound)
    }
}

/// Two ids in the path, the second of what belongs to the first.
pub struct Below(pub Uuid, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Below {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((first, second)) = path.map_err(|_| Refusal::NotFound)?;
        let id = |text: String| Uuid::parse_str(&text).map_err(|_| Refusal::NotFound);
        Ok(Below(id(first)?, id(second)?))
    }
}

/// The question of a list. One that can't be read is a 400 with a sentence.
pub struct Question<Q>(pub Q);

impl<Q: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Question<Q> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let query = axum::extract::Query::<Q>::from_request_parts(parts, state).await;
        query.map(|q| Question(q.0)).map_err(|_| Refusal::invalid(text::QUERY_UNREADABLE))
    }
}

/// What a list asks for, still as texts: a client may send anything.
#[derive(Deserialize, JsonSchema)]
pub struct ListQuestion {
    #[serde(flatten)]
    page: PageQuery,
    #[serde(default)]
    search: String,
}

impl ListQuestion {
    /// The page that can be fetched, and what is searched for, if anything.
    ///
    /// # Errors
    /// 400 for numbers that aren't, and for a search that is too long.
    pub fn read(&self, default_limit: u32) -> Answer<(Page, Option<String>)> {
        Ok((self.page.read(default_limit)?, read_search(&self.search)?))
    }

    /// Is a page asked for, or whatever there is?
    pub fn asks_for_a_page(&self) -> bool {
        self.page.is_asked()
    }
}
