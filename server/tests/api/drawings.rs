//! SVG: whatever is sent, what is served is a drawing and nothing else.

use crate::app::{ADMIN, TestApp};
use crate::pictures::{fetch, put_logo};
use crate::svg_corpus::{CANARY, all, svg};
use forecourt_core::images::text::{SVG_HAS_PICTURE, SVG_HAS_TEXT, TOO_DETAILED, UNREADABLE};
use serde_json::json;
use std::time::{Duration, Instant};
use usvg::roxmltree::Document;

/// What may stand in no drawing that is served.
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

/// What is wrong with a drawing, judged apart from how the server judges.
fn flaws(drawing: &str) -> Vec<String> {
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
            // An id is a name that the file's maker chose: it may say anything, and means nothing.
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
async fn u2_every_drawing_of_the_corpus_is_refused_or_served_clean() {
    let app = TestApp::start().await;
    let mut token = String::new();
    let corpus = all();
    assert!(corpus.len() >= 120, "{}", corpus.len());
    let (mut served, mut refused) = (0, 0);
    for (n, drawing) in corpus.iter().enumerate() {
        if n % 50 == 0 {
            // Nobody may send so many at once.
            app.pass(10 * forecourt::platform::clock::MINUTE);
            token = app.sign_in(ADMIN).await;
        }
        let start: String = drawing.chars().take(300).collect();
        let mut late = 0;
        let answer = loop {
            let begun = Instant::now();
            let answer = put_logo(&app, &token, drawing.clone().into_bytes()).await;
            assert!(begun.elapsed() < Duration::from_secs(60), "{:?}: {start}", begun.elapsed());
            // The machine may be too busy to find out in time, which says nothing of the drawing.
            if answer.status != 503 {
                break answer;
            }
            late += 1;
            assert!(late < 20, "never in time: {start}");
            app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        };
        match answer.status.as_u16() {
            200 => {
                let (_, headers, bytes) = fetch(&app, answer.body["logo"].as_str().unwrap()).await;
                assert_eq!(headers["content-type"], "image/svg+xml; charset=utf-8");
                assert_eq!(
                    headers["content-security-policy"],
                    "default-src 'none'; style-src 'unsafe-inline'; sandbox"
                );
                let written = String::from_utf8(bytes).unwrap();
                assert_eq!(flaws(&written), [""; 0], "{start}\n{written}");
                assert!(written.len() <= 2 << 20);
                served += 1;
            }
            400 => refused += 1,
            other => panic!("{other} {}: {start}", answer.body),
        }
    }
    assert!(served >= 50 && refused >= 20, "{served} served, {refused} refused");
}

#[tokio::test]
async fn u2_a_good_drawing_comes_through() {
    let app = TestApp::start().await;
    let token = app.sign_in(ADMIN).await;
    let inside = "<defs><linearGradient id='shade'><stop offset='0' stop-color='#00ff00'/><stop offset='1' stop-color='#0000ff'/>\
         </linearGradient><symbol id='dot'><circle r='9'/></symbol></defs><style>.c{fill:url(#shade)}</style>\
         <rect class='c' width='40' height='20' rx='3'/><use href='#dot' x='20' y='20'/>\
         <a href='https://nordbil.example'><g transform='rotate(45)'><ellipse rx='5' ry='9' stroke='#123456'/></g></a>\
         <foreignObject requiredExtensions='http://ns.adobe.com/AdobeIllustrator/10.0/'/>";
    for drawing in
        [svg(inside), format!("\u{feff}<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY c '#123456'>]>\n{}", svg(inside))]
    {
        let answer = put_logo(&app, &token, drawing.into_bytes()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let (_, _, bytes) = fetch(&app, answer.body["logo"].as_str().unwrap()).await;
        let written = String::from_utf8(bytes).unwrap();
        assert_eq!(flaws(&written), [""; 0], "{written}");
        for kept in ["width=\"100\"", "#ff0000", "#00ff00", "url(#shade)", "#123456", "matrix("] {
            assert!(written.contains(kept), "{kept}: {written}");
        }
    }
}

#[tokio::test]
async fn u2_what_would_be_lost_or_is_too_much_is_refused_in_its_own_words() {
    let app = TestApp::start().await;
    let token = app.sign_in(ADMIN).await;
    for (inside, sentence) in [
        ("<text y='9'>Nordbil</text>".to_owned(), SVG_HAS_TEXT),
        ("<defs><g id='t'><text><tspan>Nordbil</tspan></text></g></defs><use href='#t'/>".into(), SVG_HAS_TEXT),
        ("<image href='data:image/png;base64,iVBORw0KGgo=' width='9' height='9'/>".into(), SVG_HAS_PICTURE),
        ("<g>".repeat(101) + &"</g>".repeat(101), TOO_DETAILED),
        ("<g/>".repeat(60_000), TOO_DETAILED),
    ] {
        let answer = put_logo(&app, &token, svg(&inside).into_bytes()).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, &json!(sentence)));
    }
    let nothing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>1</script></svg>";
    for drawing in [nothing.to_owned(), svg("<g>"), svg("<path d='M0 0h9v9z' x='&nbsp;'/>"), svg("<b:c/>")] {
        let answer = put_logo(&app, &token, drawing.into_bytes()).await;
        assert_eq!((answer.status.as_u16(), &answer.body["message"]), (400, &json!(UNREADABLE)));
    }
    assert_eq!(put_logo(&app, &token, svg("<text> \n </text>").into_bytes()).await.status, 200);
}
