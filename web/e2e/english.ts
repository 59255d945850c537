import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

const folder = new URL('../src/locales/sv/', import.meta.url)
const unescapeQuotes = (text: string) => text.replace(/\\(["\\])/g, '$1')

/** All texts of the app with their Swedish translations. */
const texts = readdirSync(folder).flatMap(name =>
  [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)].map(
    ([, english = '', swedish = '']) => [unescapeQuotes(english), unescapeQuotes(swedish)] as const,
  ),
)
const swedish = new Set(texts.map(([, text]) => text))
// Texts that are equal in both languages are excluded.
const english = new Set(texts.map(([text]) => text).filter(text => !swedish.has(text)))
const PLACE = /\{[^{}]*\}/
/**
 * Patterns for texts with placeholders. Plural messages are excluded, because they never appear literally.
 */
const patterns = [...english]
  .filter(text => PLACE.test(text) && !text.includes(', plural,'))
  .map(text => text.split(PLACE))
  .filter(parts => parts.join('').trim().length > 3)
  .map(parts => parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+'))
  .map(pattern => new RegExp(`^${pattern}$`, 's'))

/** Returns the visible and accessible texts of the page. */
const readable = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
          found.push(node.getAttribute(name) ?? '')
      } else if (node.parentElement?.checkVisibility()) {
        found.push(node.textContent ?? '')
      }
    }
    return [document.title.split(' · ')[0] ?? '', ...found]
      .map(text => text.trim())
      .filter(text => text !== '')
  })

/** Returns the texts of the page that are known to be English. */
export async function findEnglishTexts(page: Page): Promise<string[]> {
  const all = await readable(page)
  return all.filter(text => english.has(text) || patterns.some(pattern => pattern.test(text)))
}
