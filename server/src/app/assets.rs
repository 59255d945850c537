//! The web app, embedded in the program with compressed copies of its files (`name.br`, `name.gz` beside `name`).
//! Browsers may cache the files of `assets/`, whose names contain a hash, for a year, and do not store `index.html`.
//! They revalidate the other files before each use.

use crate::features::config::Signup;
use crate::features::state::App;
use crate::platform::error::ApiError;
use crate::platform::keys::hex;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use forecourt_core::auth::Site;
use forecourt_core::text::escape_html;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde_json::{Map, Value};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../web/dist"]
#[allow_missing = true]
struct Web;

/// The element of the built `index.html` that the server replaces by one with this installation's [`Site`].
const SITE: &str = r#"<meta name="forecourt-site" content='{"brand":"Forecourt"}'>"#;

/// The file name of the web app manifest, into which the server inserts the installation's name.
const MANIFEST: &str = "manifest.webmanifest";

/// Handles every path without a route of its own: returns the embedded file, or `index.html`, since the path may be
/// that of a screen. Returns 404 for paths under `/api` and for missing files (a dot in the path's last segment).
pub async fn serve(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return ApiError::NoSuchRoute.into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return ApiError::MethodNotAllowed.into_response();
    }
    if path == MANIFEST {
        return manifest(&app);
    }
    let is_compressed = path.ends_with(".br") || path.ends_with(".gz");
    match find_file(path, request.headers()).filter(|_| !path.is_empty() && path != "index.html" && !is_compressed) {
        Some((file, coding)) => file_response(&request, path, file, coding),
        None if path.rsplit('/').next().is_some_and(|name| name.contains('.')) => {
            (StatusCode::NOT_FOUND, "Not found").into_response()
        }
        None => page(&app),
    }
}

fn find_file(path: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let accepts = |coding: &str| {
        accepted.split(',').any(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let refused = |q: &str| q.strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty());
            parts.next() == Some(coding) && !parts.any(refused)
        })
    };
    for (coding, twin) in [("br", "br"), ("gzip", "gz")] {
        if accepts(coding)
            && let Some(file) = Web::get(&format!("{path}.{twin}"))
        {
            return Some((file, Some(coding)));
        }
    }
    Web::get(path).map(|file| (file, None))
}

fn file_response(request: &Request, path: &str, file: EmbeddedFile, coding: Option<&'static str>) -> Response {
    let hash = file.metadata.sha256_hash();
    let etag = format!("\"{}\"", hex(&hash[..16]));
    let is_hashed = path.starts_with("assets/");
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|v| v.to_str().ok());
    let mut response = if known.is_some_and(|v| v.split(',').any(|t| t.trim() == etag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.data).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(mime(path)));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let caching = if is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(header::ETAG, etag);
    }
    if let Some(coding) = coding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

/// Returns `index.html` with this installation's [`Site`]; 503 if the program was built without the web app.
fn page(app: &App) -> Response {
    let Some(file) = Web::get("index.html") else {
        let missing = "The web app was not built. Run `make web`, then build the server again.";
        return (StatusCode::SERVICE_UNAVAILABLE, missing).into_response();
    };
    let site = Site {
        brand: app.config.brand.clone(),
        mailbox: app.mailbox.map(str::to_owned),
        provider: app.feature_config.auth.provider_name(),
        signup: app.feature_config.signup == Signup::Approval,
        rules: app.form_settings,
    };
    let page = insert_site(&String::from_utf8_lossy(&file.data), &site);
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, page).into_response()
}

/// Returns the web app manifest with this installation's name.
fn manifest(app: &App) -> Response {
    let file = Web::get(MANIFEST).and_then(|file| serde_json::from_slice(&file.data).ok());
    let Some(manifest) = file else { return (StatusCode::NOT_FOUND, "Not found").into_response() };
    let headers = [(header::CONTENT_TYPE, "application/manifest+json"), (header::CACHE_CONTROL, "no-cache")];
    (headers, with_brand(manifest, &app.config.brand).to_string()).into_response()
}

fn with_brand(mut manifest: Map<String, Value>, brand: &str) -> Value {
    for name in ["name", "short_name"] {
        manifest.insert(name.to_owned(), brand.into());
    }
    manifest.into()
}

/// Inserts the title and the [`Site`], which the app reads before sign-in, into `index.html`.
fn insert_site(page: &str, site: &Site) -> String {
    let json = serde_json::to_string(site).unwrap_or_default();
    page.replace(SITE, &format!("<meta name=\"forecourt-site\" content='{}'>", escape_html(&json)))
        .replace("<title>Forecourt</title>", &format!("<title>{}</title>", escape_html(&site.brand)))
}

fn mime(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml; charset=utf-8",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::form::FormSettings;
    use forecourt_core::import::Limits;

    #[test]
    fn inserts_the_brand_into_the_manifest() {
        let manifest = serde_json::from_str(include_str!("../../../web/public/manifest.webmanifest")).unwrap();
        let manifest = with_brand(manifest, "Bil's \"Båt\"");
        assert_eq!((&manifest["name"], &manifest["short_name"]), (&"Bil's \"Båt\"".into(), &"Bil's \"Båt\"".into()));
        assert_eq!(manifest["start_url"], "/dashboard");
    }

    #[test]
    fn inserts_the_brand_and_the_form_settings_into_the_page() {
        let import = Limits { csv_bytes: 1 << 20, ..Limits::default() };
        let rules = FormSettings { password_min: 12, import };
        let site = Site { brand: "Bil's & Båt".to_owned(), mailbox: None, provider: None, signup: true, rules };
        let page = insert_site(include_str!("../../../web/index.html"), &site);
        assert!(page.contains("<title>Bil&#39;s &amp; Båt</title>"), "{page}");
        let meta =
            page.split("<meta name=\"forecourt-site\" content='").nth(1).and_then(|rest| rest.split('\'').next());
        let json = meta.unwrap().replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
        assert_eq!(serde_json::from_str::<Site>(&json).unwrap(), site);
    }
}
