//! Requests of the first Super Admin.

use crate::server::{EMAIL, Server};
use reqwest::Method;
use serde_json::Value;
use std::path::Path;

impl Server {
    /// Signs in the first Super Admin and stores the access token for all later requests.
    pub async fn sign_in(&mut self, folder: &Path) {
        self.token = self.sign_in_from(folder, 0, EMAIL).await;
    }

    pub async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        self.call_from(0, method, path, body).await
    }
}
