//! The first Super Admin at work.

use crate::server::{EMAIL, Server};
use reqwest::Method;
use serde_json::Value;
use std::path::Path;

impl Server {
    /// Signs the first Super Admin in, as whom every call is made from now on.
    pub async fn sign_in(&mut self, folder: &Path) {
        self.token = self.token_of(folder, 0, EMAIL).await;
    }

    pub async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        self.call_from(0, method, path, body).await
    }
}
