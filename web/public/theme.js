// Runs before the first paint, so that the page doesn't flash in the wrong colour scheme and is announced in the right
// language. The stored values are written by src/language and src/lib/theme.ts: the language, the chosen scheme, and the
// signed-in user's accent shades.
;(() => {
  const root = document.documentElement
  const read = key => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  if (read('language') === 'sv') root.lang = 'sv'
  const scheme = read('colorScheme')
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const mode = dark ? 'dark' : 'light'
  root.dataset.mode = mode
  // The browser's canvas colour, visible before the style sheet has loaded, follows this.
  const meta = document.querySelector('meta[name="color-scheme"]')
  if (meta) meta.content = mode
  try {
    const shades = read('accessToken') ? (JSON.parse(read('shades') ?? '{}')[mode] ?? {}) : {}
    for (const name of Object.keys(shades)) root.style.setProperty(name, shades[name])
  } catch {
    // If the stored shades are invalid, the style sheet's defaults apply.
  }
})()
