import { onTestFinished } from 'vitest'

/**
 * Records what a screen reader announces from now on: the text of each live region of the page after each change in it.
 */
export function recordAnnouncements(): string[] {
  const said: string[] = []
  const observer = new MutationObserver(changes => {
    const regions = changes.map(({ target }) =>
      (target instanceof Element ? target : target.parentElement)?.closest('[aria-live], [role="status"]'),
    )
    for (const region of new Set(regions)) if (region?.textContent) said.push(region.textContent)
  })
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return said
}
