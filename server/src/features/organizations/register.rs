//! A company register behind an address: asked last, with patience for three seconds and a small answer.

use crate::platform::Failure;
use crate::platform::config::{Config, DirectoryUrl};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::form::check;
use forecourt_core::organizations::{Organization, OrganizationInput, normalize_number, text};
use forecourt_core::text::one_line;
use reqwest::StatusCode;
use std::sync::Arc;
use std::time::Duration;

/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// Longer than any answer about one company.
const LONGEST: usize = 64 * 1024;

/// The register that the settings name.
pub struct Register {
    http: reqwest::Client,
    address: DirectoryUrl,
}

impl Register {
    /// # Errors
    /// One line, when the machine's trusted certificates can't be used.
    pub fn new(config: &Config) -> Result<Option<Arc<Self>>, Failure> {
        let Some(address) = config.directory_url.clone() else { return Ok(None) };
        // No redirect is followed: the program asks only whom the settings name.
        let http = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(|e| format!("the company register can't be used: {}", one_line(&e.to_string())))?;
        Ok(Some(Arc::new(Register { http, address })))
    }

    /// Asks about a number that may be any company's: it need not be one.
    ///
    /// # Errors
    /// One line: it can't be reached, or its answer can't be used.
    pub async fn answers(&self) -> Result<(), Failure> {
        self.ask("556036-0793").await.map(|_| ())
    }

    /// Returns the company of a number, if the register knows it.
    ///
    /// # Errors
    /// 503 if the register can't be reached or its response can't be used.
    pub(super) async fn find(&self, number: &str) -> ApiResult<Option<Organization>> {
        self.ask(number).await.map_err(|error| {
            tracing::warn!(error = one_line(&error), "the company register does not help");
            ApiError::UpstreamUnavailable(text::DIRECTORY_UNAVAILABLE)
        })
    }

    async fn ask(&self, number: &str) -> Result<Option<Organization>, String> {
        let address = self.address.of(number).ok_or("the number makes no address")?;
        // The address is left out of what is logged: it may hold a key.
        let failed = |e: reqwest::Error| e.without_url().to_string();
        let mut answer = self.http.get(address).header("accept", "application/json").send().await.map_err(failed)?;
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(format!("it answers {status}")),
        }
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(failed)? {
            body.extend_from_slice(&part);
            if body.len() > LONGEST {
                return Err("its answer is too long".into());
            }
        }
        let told: OrganizationInput =
            serde_json::from_slice(&body).map_err(|_| "its answer is not the JSON of a company")?;
        let told = check(Organization::from(told))
            .map_err(|_| "its answer lacks a company's number or name, or is too long")?
            .into_inner();
        // Nothing is filled in with another company's record.
        if normalize_number(&told.organization_number) != normalize_number(number) {
            return Err("it answers with another company".into());
        }
        Ok(Some(told))
    }
}
