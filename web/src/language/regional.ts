/**
 * Returns English with the formats of a locale's region, such as en-SE for Swedish. English itself stays as it is:
 * undefined, the browser's own locale.
 */
export function englishFor(tag: string): string | undefined {
  try {
    const { language, region } = new Intl.Locale(tag).maximize()
    if (language === 'en') return undefined
    return region ? `en-${region}` : 'en'
  } catch {
    return 'en'
  }
}
