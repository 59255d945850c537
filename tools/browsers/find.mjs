/**
 * Runs in the page: returns the visible element of a kind that has this name, or undefined. The name is the label that
 * assistive technology reads, or the text; it may be a part of it if `isPart`.
 */
export function find(kind, name, isPart) {
  const selectors = {
    button: 'button, [role=button], [role=option], [role=tab]',
    link: 'a[href]',
    field: 'input, textarea, select',
    text: 'h1, h2, p, span, div, th, td, li, a',
  }
  const tidy = text => text.replace(/\s+/g, ' ').trim()
  const namesOf = element => {
    const labels = [...(element.labels ?? [])].map(label => label.textContent)
    return [element.getAttribute('aria-label'), ...labels, element.textContent].filter(Boolean).map(tidy)
  }
  const isIt = text => (isPart ? text.includes(name) : text === name || text === `${name} *` || text === `${name}*`)
  const found = [...document.querySelectorAll(selectors[kind])].filter(
    element => (kind === 'field' && element.type === 'file') || element.checkVisibility(),
  )
  // The innermost element is the last one.
  return found.filter(element => namesOf(element).some(isIt)).at(-1)
}
