//! SVG: parsed and written again. Only shapes, paints and filters are written, never scripts, event handlers, links or
//! references to external files.

use forecourt_core::images::text;
use forecourt_core::message::Message;
use usvg::roxmltree::{Document, Error, Node, ParsingOptions};
use usvg::{ImageHrefResolver, Indent, Options, Tree, WriteOptions};

/// Maximum number of XML nodes, and maximum depth of nesting.
const MAX_NODES: u32 = 50_000;
const MAX_DEPTH: usize = 100;
/// Maximum size of the written SVG in bytes, and maximum length of a side in pixels.
const MAX_BYTES: usize = 2 << 20;
const MAX_SIDE: f32 = 100_000.0;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The elements that may be written, besides the filter primitives, whose names begin with `fe`.
const ELEMENTS: [&str; 11] =
    ["svg", "defs", "g", "path", "linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "filter"];

/// Parses an SVG and writes it again.
pub(super) fn reencode(bytes: &[u8]) -> Result<Vec<u8>, &'static Message> {
    let source = std::str::from_utf8(bytes).map_err(|_| text::UNREADABLE)?;
    // A DTD is allowed because drawing programs declare entities in it. External entities are not resolved.
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..Default::default() };
    let document = Document::parse_with_options(source, options).map_err(rejection)?;
    inspect(&document)?;
    let drawing = draw(&document)?;
    if drawing.len() > MAX_BYTES {
        return Err(text::TOO_DETAILED);
    }
    if is_clean(&drawing) { Ok(drawing.into_bytes()) } else { Err(text::UNREADABLE) }
}

fn rejection(error: Error) -> &'static Message {
    match error {
        Error::NodesLimitReached | Error::EntityReferenceLoop(_) => text::TOO_DETAILED,
        _ => text::UNREADABLE,
    }
}

/// Rejects content that would be lost silently, and too deep nesting.
fn inspect(document: &Document<'_>) -> Result<(), &'static Message> {
    for node in document.descendants().filter(Node::is_element) {
        if node.ancestors().nth(MAX_DEPTH).is_some() {
            return Err(text::TOO_DETAILED);
        }
        if !matches!(node.tag_name().namespace(), None | Some(SVG)) {
            continue;
        }
        let has_text = || node.descendants().any(|n| n.is_text() && n.text().is_some_and(|t| !t.trim().is_empty()));
        let has_external_picture = || href(node).is_some_and(|href| !href.trim().starts_with('#'));
        match node.tag_name().name() {
            "text" if has_text() => return Err(text::SVG_HAS_TEXT),
            "image" | "feImage" if has_external_picture() => return Err(text::SVG_HAS_PICTURE),
            _ => {}
        }
    }
    Ok(())
}

fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    node.attribute("href").or_else(|| node.attribute((XLINK, "href")))
}

/// Returns the SVG written again. Never opens a file or an embedded picture.
fn draw(document: &Document<'_>) -> Result<String, &'static Message> {
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(document, &options).map_err(|error| match error {
        usvg::Error::ParsingFailed(error) => rejection(error),
        usvg::Error::ElementsLimitReached => text::TOO_DETAILED,
        _ => text::UNREADABLE,
    })?;
    if tree.size().width().max(tree.size().height()) > MAX_SIDE {
        return Err(text::TOO_DETAILED);
    }
    if !tree.root().has_children() {
        return Err(text::UNREADABLE);
    }
    Ok(tree.to_string(&WriteOptions { indent: Indent::None, ..Default::default() }))
}

/// Returns whether the SVG contains only what [`draw`] may write. A second check, so that safety does not depend on one
/// library.
fn is_clean(drawing: &str) -> bool {
    let Ok(document) = Document::parse(drawing) else { return false };
    document.descendants().all(|node| {
        let name = node.tag_name();
        let is_known =
            name.namespace() == Some(SVG) && (ELEMENTS.contains(&name.name()) || name.name().starts_with("fe"));
        let is_blank = node.text().is_some_and(|text| text.trim().is_empty());
        let refers_inside = |value: &str| value.split("url(").skip(1).all(|rest| rest.starts_with('#'));
        (node.is_root() || node.is_element() && is_known || node.is_text() && is_blank)
            && node.attributes().all(|attribute| match attribute.name() {
                "href" => attribute.value().starts_with('#'),
                name => !name.to_ascii_lowercase().starts_with("on") && refers_inside(attribute.value()),
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(inside: &str) -> String {
        let source =
            format!("<svg xmlns='{SVG}' xmlns:x='{XLINK}' width='9' height='9'><path d='M0 0h9v9z'/>{inside}</svg>");
        draw(&Document::parse(&source).unwrap()).unwrap()
    }

    #[test]
    fn u2_an_svg_cannot_open_files_of_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let canary = folder.path().join("canary.svg");
        std::fs::write(&canary, format!("<svg xmlns='{SVG}'><path id='CANARY' d='M1 2L3 4z'/></svg>")).unwrap();
        let (path, embedded) = (
            canary.display(),
            "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxwYXRoIGlkPSJDQU5BUlkiIGQ9Ik0xIDJMMyA0eiIvPjwvc3ZnPg==",
        );
        let plain = drawn("");
        for href in [path.to_string(), format!("file://{path}"), embedded.to_owned()] {
            // Calls `draw` without the check, which would reject such files.
            assert_eq!(drawn(&format!("<image href='{href}' width='9' height='9'/>")), plain, "{href}");
            assert_eq!(drawn(&format!("<image x:href='{href}'/>")), plain, "{href}");
            let effect =
                format!("<filter id='f'><feImage href='{href}'/></filter><path filter='url(#f)' d='M0 0h9v9z'/>");
            assert!(!drawn(&effect).contains("CANARY"), "{href}");
        }
    }

    #[test]
    fn u2_rejects_output_that_the_writer_should_not_produce() {
        let around = |inside: &str| format!("<svg xmlns='{SVG}' xmlns:xlink='{XLINK}'>{inside}</svg>");
        assert!(is_clean(&drawn("<filter id='f'><feGaussianBlur stdDeviation='1'/></filter><g filter='url(#f)'/>")));
        assert!(is_clean(&around(" <path fill='url(#a)' xlink:href='#b' d='M0 0'/>\n")));
        for inside in [
            "<script/>",
            "<g onload='x'/>",
            "<g ONLOAD='x'/>",
            "<g href='x'/>",
            "<g xlink:href='javascript:x'/>",
            "<g fill='url(x)'/>",
            "<g style='a:url(#a);b:url( //x)'/>",
            "<image/>",
            "<use/>",
            "<h:p xmlns:h='http://www.w3.org/1999/xhtml'/>",
            "text",
            "<!-- x -->",
            "<?x y?>",
        ] {
            assert!(!is_clean(&around(inside)), "{inside}");
        }
        assert!(!is_clean("<svg/>") && !is_clean("<!DOCTYPE svg><svg/>") && !is_clean("no drawing"));
    }
}
