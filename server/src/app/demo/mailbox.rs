//! The demo's mailbox: a page that shows the mails of the outbox, so that the sign-in codes can be read in the browser.
//! Only the demo has this page.

use crate::features::state::App;
use crate::platform::error::ApiResult;
use crate::platform::mail;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use forecourt_core::text::escape_html;
use std::fmt::Write;

pub const PATH: &str = "/demo/mailbox";
const STYLE_PATH: &str = "/demo/mailbox.css";

const STYLE: &str = "
:root { color-scheme: light dark; font: 15px/1.5 Inter, system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 10px; margin: 1rem 0; padding: 1rem 1.25rem; }
h2 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0; }
pre { white-space: pre-wrap; font: inherit; margin: .75rem 0 0; }
";

/// Returns the routes of the mailbox and its style sheet.
pub fn router() -> Router<App> {
    let style = || async { ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE) };
    Router::new().route(PATH, get(page)).route(STYLE_PATH, get(style))
}

async fn page(State(app): State<App>) -> ApiResult<impl IntoResponse> {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Mailbox</title><link rel=\"stylesheet\" href=\"{STYLE_PATH}\"><main><h1>Mailbox</h1>\
         <p>The newest mails that this demo would have sent, at most 100. Reload the page to see new ones.</p>"
    );
    let mails = mail::outbox(&app).await?;
    if mails.is_empty() {
        page.push_str("<p>No mails yet. Sign in, and the code appears here.</p>");
    }
    for mail in mails {
        let _ = write!(
            page,
            "<article><h2>{}</h2><p>To {}</p><pre>{}</pre></article>",
            escape_html(&mail.subject),
            escape_html(&mail.to),
            escape_html(mail.text.expose_secret())
        );
    }
    page.push_str("</main></html>");
    Ok(([(header::CACHE_CONTROL, "no-store")], Html(page)))
}
