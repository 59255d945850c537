import type { Shades } from '~/core'

/** Shades as custom properties: `brandFill` is `--brand-fill`. */
export const asProperties = (shades: Shades): Record<string, string> =>
  Object.fromEntries(
    Object.entries(shades).map(([name, color]) => [
      `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
      color,
    ]),
  )
