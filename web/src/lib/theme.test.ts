import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { core, loadCore } from '~/core'
import { toCustomProperties } from './shades'

beforeAll(() => loadCore())

const css = readFileSync(new URL('../app.css', import.meta.url), 'utf8')

/** Returns the custom properties that `app.css` declares for a selector. */
function declared(selector: string): Record<string, string> {
  const rule = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? ''
  return Object.fromEntries(
    [...rule.matchAll(/(--[a-z-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
  )
}

test("the style sheet's default shades equal those that core computes", () => {
  const light = declared(':root')
  expect(light).toMatchObject(toCustomProperties(core.shades(core.defaultColor(), false)))
  expect({ ...light, ...declared(':root[data-mode="dark"]') }).toMatchObject(
    toCustomProperties(core.shades(core.defaultColor(), true)),
  )
})

/** Returns the contrast ratio of two colours (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const luminance = (hex: string) =>
    [1, 3, 5]
      .map(start => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
      .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0)
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const light = declared(':root')
const palettes = { light, dark: { ...light, ...declared(':root[data-mode="dark"]') } }
const grounds = ['--ground', '--card', '--raised', '--subtle']
const pairs = [
  ...['--ink', '--muted'].flatMap(text => grounds.map(ground => [text, ground])),
  ...['danger', 'success', 'warning'].flatMap(state => [
    [`--${state}`, '--card'],
    [`--${state}`, '--ground'],
    [`--${state}`, `--${state}-soft`],
  ]),
] as [string, string][]

test.each(['light', 'dark'] as const)('texts and states of the %s palette have enough contrast', mode => {
  const palette = palettes[mode]
  const poor = pairs.filter(([text, ground]) => contrast(palette[text] ?? '', palette[ground] ?? '') < 4.5)
  expect(poor).toEqual([])
})

test.each(['light', 'dark'] as const)('the border of a %s field contrasts with the card', mode => {
  expect(contrast(palettes[mode]['--edge'] ?? '', palettes[mode]['--card'] ?? '')).toBeGreaterThanOrEqual(3)
})
