import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

const folder = new URL('../src/locales/sv/', import.meta.url)
const core = new URL('../../core/src/', import.meta.url)
const unescapeQuotes = (text: string) => text.replace(/\\(["\\])/g, '$1')
const read = (folder: URL, name: string) => readFileSync(new URL(name, folder), 'utf8')

/** The entries of the catalogues: an English text, or a code of core, and the Swedish text. */
const entries = readdirSync(folder).flatMap(name =>
  [...read(folder, name).matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)].map(
    ([, english = '', swedish = '']) => [unescapeQuotes(english), unescapeQuotes(swedish)] as const,
  ),
)
/** The English sentences of core, one per line, and the titles of resources. */
const sentences = readdirSync(core, { recursive: true, encoding: 'utf8' })
  .filter(name => /text(\/mod)?\.rs$|catalogue\.rs$/.test(name))
  .flatMap(name =>
    [
      ...read(core, name).matchAll(
        /^ *(?:(?:fn \w+\(.*\)|[A-Z\d_]+) =|title:|description:) "((?:[^"\\]|\\.)+)"[;,]$/gm,
      ),
    ].map(([, sentence = '']) => unescapeQuotes(sentence)),
  )
if (sentences.length < 200) throw new Error('The sentences of core were not found')
const swedish = new Set(entries.map(([, text]) => text))
// Texts that are equal in both languages are excluded.
const english = new Set([...entries.map(([text]) => text), ...sentences].filter(text => !swedish.has(text)))
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
  const shown = await readable(page)
  return shown.filter(text => english.has(text) || patterns.some(pattern => pattern.test(text)))
}
