import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

const folder = new URL('../src/locales/sv/', import.meta.url)
const core = new URL('../../core/src/', import.meta.url)
const unescapeQuotes = (text: string) => text.replace(/\\(["\\])/g, '$1')
const read = (folder: URL, name: string) => readFileSync(new URL(name, folder), 'utf8')

/**
 * The entries of the translation catalogues: the English text (in core.po: the message's code) and the Swedish text.
 */
const entries = readdirSync(folder).flatMap(name =>
  [...read(folder, name).matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)].map(
    ([, english = '', swedish = '']) => [unescapeQuotes(english), unescapeQuotes(swedish)] as const,
  ),
)
/** The English sentences of core's messages, and the titles of resources, read from core's source files. */
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
// The English texts, without those that are equal in Swedish.
const english = new Set([...entries.map(([text]) => text), ...sentences].filter(text => !swedish.has(text)))
const PLACE = /\{[^{}]*\}/
/**
 * Patterns that match the English texts with placeholders. Plural messages are left out, because their source never
 * appears literally.
 */
const patterns = [...english]
  .filter(text => PLACE.test(text) && !text.includes(', plural,'))
  .map(text => text.split(PLACE))
  .filter(parts => parts.join('').trim().length > 3)
  .map(parts => parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+'))
  .map(pattern => new RegExp(`^${pattern}$`, 's'))

/** Returns the visible texts of the page, and those for assistive technology, such as `aria-label`. */
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

/** Returns the texts of the page that are in the list of English texts. */
export async function findEnglishTexts(page: Page): Promise<string[]> {
  const shown = await readable(page)
  const isPattern = (text: string) => !swedish.has(text) && patterns.some(pattern => pattern.test(text))
  return shown.filter(text => english.has(text) || isPattern(text))
}
