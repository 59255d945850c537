//! SVG logos: the server serves only sanitized drawings.

use crate::app::{ADMIN, TestApp};
use crate::image_files::{fetch, put_logo};
use crate::svg_corpus::{CANARY, all, svg};
use forecourt_core::images::text::{SVG_HAS_PICTURE, SVG_HAS_TEXT, TOO_DETAILED, UNREADABLE};
use serde_json::json;
use std::time::{Duration, Instant};
use usvg::roxmltree::Document;

/// Words that must not occur in a served drawing.
const FORBIDDEN: [&str; 21] = [
    "<script",
    "<foreignobject",
    "<image",
    "<use",
    "<a ",
    "<a>",
    "<set",
    "<animate",
    "<style",
    "<text",
    "<iframe",
    "<!doctype",
    "<!entity",
    "<?",
    "<!--",
    "javascript:",
    "data:",
    "file:",
    "@import",
    "expression(",
    "root:x:",
];

/// Returns what a served drawing must not have. Does not use the server's own rules.
fn find_flaws(drawing: &str) -> Vec<String> {
    let low = drawing.to_lowercase();
    let mut flaws: Vec<String> =
        FORBIDDEN.iter().filter(|word| low.contains(**word)).map(|word| (*word).to_owned()).collect();
    let Ok(document) = Document::parse(drawing) else { return vec!["it is no XML".into()] };
    for node in document.descendants() {
        if node.is_text() && !node.text().unwrap().trim().is_empty() {
            flaws.push("it has text".into());
        }
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            let leads_out = value.contains("url(") && !value.contains("url(#") || value.contains("//");
            let is_link = name == "href" && !value.starts_with('#') || name == "src" || name == "base";
            // An id may contain anything, because it has no effect.
            if name != "id" && (value.contains(CANARY) || leads_out || is_link) || name.to_lowercase().starts_with("on")
            {
                flaws.push(format!("{name}={value}"));
            }
        }
    }
    let places = low.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "");
    if places.contains("http:") || places.contains("https:") {
        flaws.push("it names another place".into());
    }
    flaws
}

#[tokio::test]
async fn u2_every_drawing_of_the_corpus_is_rejected_or_served_sanitized() {
    let app = TestApp::start().await;
    let mut token = String::new();
    let corpus = all();
    assert!(corpus.len() >= 120, "{}", corpus.len());
    let (mut served, mut rejected) = (0, 0);
    for (n, drawing) in corpus.iter().enumerate() {
        if n % 50 == 0 {
            // Advance the clock, so that the rate limit of uploads is not reached.
            app.advance(10 * forecourt::platform::clock::MINUTE);
            token = app.sign_in(ADMIN).await;
        }
        let start: String = drawing.chars().take(300).collect();
        let mut timeouts = 0;
        let response = loop {
            let begun = Instant::now();
            let response = put_logo(&app, &token, drawing.clone().into_bytes()).await;
            assert!(begun.elapsed() < Duration::from_secs(60), "{:?}: {start}", begun.elapsed());
            // Try again after a timeout (503): the machine may be too busy, which says nothing about the drawing.
            if response.status != 503 {
                break response;
            }
            timeouts += 1;
            assert!(timeouts < 20, "never in time: {start}");
            app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        };
        match response.status.as_u16() {
            200 => {
                let (_, headers, bytes) = fetch(&app, response.body["logo"].as_str().unwrap()).await;
                assert_eq!(headers["content-type"], "image/svg+xml; charset=utf-8");
                assert_eq!(
                    headers["content-security-policy"],
                    "default-src 'none'; style-src 'unsafe-inline'; sandbox"
                );
                let written = String::from_utf8(bytes).unwrap();
                assert_eq!(find_flaws(&written), [""; 0], "{start}\n{written}");
                assert!(written.len() <= 2 << 20);
                served += 1;
            }
            400 => rejected += 1,
            other => panic!("{other} {}: {start}", response.body),
        }
    }
    assert!(served >= 50 && rejected >= 20, "{served} served, {rejected} rejected");
}

#[tokio::test]
async fn u2_a_harmless_drawing_is_kept() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let inside = "<defs><linearGradient id='shade'><stop offset='0' stop-color='#00ff00'/><stop offset='1' stop-color='#0000ff'/>\
         </linearGradient><symbol id='dot'><circle r='9'/></symbol></defs><style>.c{fill:url(#shade)}</style>\
         <rect class='c' width='40' height='20' rx='3'/><use href='#dot' x='20' y='20'/>\
         <a href='https://nordbil.example'><g transform='rotate(45)'><ellipse rx='5' ry='9' stroke='#123456'/></g></a>\
         <foreignObject requiredExtensions='http://ns.adobe.com/AdobeIllustrator/10.0/'/>";
    for drawing in
        [svg(inside), format!("\u{feff}<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY c '#123456'>]>\n{}", svg(inside))]
    {
        let response = put_logo(&app, &token, drawing.into_bytes()).await;
        assert_eq!(response.status, 200, "{}", response.body);
        let (_, _, bytes) = fetch(&app, response.body["logo"].as_str().unwrap()).await;
        let written = String::from_utf8(bytes).unwrap();
        assert_eq!(find_flaws(&written), [""; 0], "{written}");
        for kept in ["width=\"100\"", "#ff0000", "#00ff00", "url(#shade)", "#123456", "matrix("] {
            assert!(written.contains(kept), "{kept}: {written}");
        }
    }
}

#[tokio::test]
async fn u2_unsupported_and_oversized_drawings_get_specific_messages() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (inside, sentence) in [
        ("<text y='9'>Nordbil</text>".to_owned(), SVG_HAS_TEXT),
        ("<defs><g id='t'><text><tspan>Nordbil</tspan></text></g></defs><use href='#t'/>".into(), SVG_HAS_TEXT),
        ("<image href='data:image/png;base64,iVBORw0KGgo=' width='9' height='9'/>".into(), SVG_HAS_PICTURE),
        ("<g>".repeat(101) + &"</g>".repeat(101), TOO_DETAILED),
        ("<g/>".repeat(60_000), TOO_DETAILED),
    ] {
        let response = put_logo(&app, &token, svg(&inside).into_bytes()).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(sentence.as_str())));
    }
    let nothing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>1</script></svg>";
    for drawing in [nothing.to_owned(), svg("<g>"), svg("<path d='M0 0h9v9z' x='&nbsp;'/>"), svg("<b:c/>")] {
        let response = put_logo(&app, &token, drawing.into_bytes()).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(UNREADABLE.as_str())));
    }
    assert_eq!(put_logo(&app, &token, svg("<text> \n </text>").into_bytes()).await.status, 200);
}
