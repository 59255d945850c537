//! Client of an external company register, the last of the three sources in which a company is looked up. Requests have
//! a time limit and a size limit.

use super::directory_url::DirectoryUrl;
use crate::platform::Failure;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::http_client::create_http_client;
use forecourt_core::form::check;
use forecourt_core::organizations::{Organization, OrganizationInput, normalize_number, text};
use forecourt_core::text::one_line;
use reqwest::StatusCode;
use std::sync::Arc;
use std::time::Duration;

/// Time limit of a request.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Upper bound on the size of a response, in bytes.
const RESPONSE_MAX_BYTES: usize = 64 * 1024;

pub struct CompanyRegister {
    http: reqwest::Client,
    address: DirectoryUrl,
}

impl CompanyRegister {
    /// Returns the client of the configured register, or `None` if none is configured.
    ///
    /// # Errors
    /// A one-line message if the system's trusted certificates cannot be used.
    pub fn new(url: Option<&DirectoryUrl>) -> Result<Option<Arc<Self>>, Failure> {
        let Some(address) = url.cloned() else { return Ok(None) };
        // Requests go only to the host that the settings name.
        let http = create_http_client(TIMEOUT)
            .map_err(|e| format!("the company register can't be used: {}", one_line(&e.to_string())))?;
        Ok(Some(Arc::new(CompanyRegister { http, address })))
    }

    /// Checks the register with a sample number, which need not exist.
    ///
    /// # Errors
    /// A one-line message: the register is unreachable or its response is not usable.
    pub async fn check(&self) -> Result<(), Failure> {
        self.fetch("556036-0793").await.map(|_| ())
    }

    /// Returns the company with a number, if the register has it.
    ///
    /// # Errors
    /// 503 if the register is unreachable or its response is not usable.
    pub(super) async fn find(&self, number: &str) -> ApiResult<Option<Organization>> {
        self.fetch(number).await.map_err(|error| {
            tracing::warn!(error = one_line(&error), "a request to the company register failed");
            ApiError::UpstreamUnavailable(text::DIRECTORY_UNAVAILABLE)
        })
    }

    async fn fetch(&self, number: &str) -> Result<Option<Organization>, String> {
        let address = self.address.url_for(number).ok_or("the number makes no address")?;
        // Without the address, which may contain an API key.
        let failed = |e: reqwest::Error| e.without_url().to_string();
        let mut response = self.http.get(address).header("accept", "application/json").send().await.map_err(failed)?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(format!("its response has the status {status}")),
        }
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(failed)? {
            body.extend_from_slice(&part);
            if body.len() > RESPONSE_MAX_BYTES {
                return Err("its response is too long".into());
            }
        }
        let company: OrganizationInput =
            serde_json::from_slice(&body).map_err(|_| "its response is not the JSON of a company")?;
        let company = check(Organization::from(company))
            .map_err(|_| "its response lacks a company's number or name, or is too long")?
            .into_inner();
        // A response for another number must not fill the form.
        if normalize_number(&company.organization_number) != normalize_number(number) {
            return Err("its response is about another company".into());
        }
        Ok(Some(company))
    }
}
