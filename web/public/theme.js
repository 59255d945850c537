// Runs before the first paint, so that nobody sees a flash of the other colour scheme, nor hears of another language. What it
// reads is written by src/language and by src/lib/theme.ts: the chosen scheme, and the accent's shades as they were last computed, which are the signed-in person's.
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
  // The window's own ground, which shows before there is a style sheet, goes by this.
  const meta = document.querySelector('meta[name="color-scheme"]')
  if (meta) meta.content = mode
  try {
    const shades = read('accessToken') ? (JSON.parse(read('shades') ?? '{}')[mode] ?? {}) : {}
    for (const name of Object.keys(shades)) root.style.setProperty(name, shades[name])
  } catch {
    // Unreadable shades: the style sheet's own stay.
  }
})()
