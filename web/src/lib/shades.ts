import type { Shades } from '~/core'

/** Converts an accent's shades to CSS custom properties: `brandFill` becomes `--brand-fill`. */
export const toCustomProperties = (shades: Shades): Record<string, string> =>
  Object.fromEntries(
    Object.entries(shades).map(([name, color]) => [
      `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
      color,
    ]),
  )
