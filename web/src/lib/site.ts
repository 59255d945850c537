import type { Site } from '~/core'

/** What this installation says of itself before anybody has signed in; the server writes it into the page. */
export const site: Site = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="forecourt-site"]')?.content ?? '{"brand":"Forecourt"}',
)
