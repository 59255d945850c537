import type { Site } from '~/core'

/** Public settings of this installation, which the server writes into the page. */
export const site: Site = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="forecourt-site"]')?.content ?? '{"brand":"Forecourt"}',
)
