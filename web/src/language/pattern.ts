/** A sentence with values in it, such as `Minimum length is {number} characters`, as it is recognised. */
export type Pattern = {
  id: string
  expression: RegExp
  /** The names of its values, in their order. */
  places: string[]
  /** How many letters of its own it has. */
  weight: number
}

const PLACE = /\{([a-zA-Z]+)\}/g

/** How a sentence is recognised; nothing for one without values, which is known by itself. */
export function patternOf(id: string): Pattern | undefined {
  const places = [...id.matchAll(PLACE)].map(([, name = '']) => name)
  if (places.length === 0) return undefined
  const parts = id.split(/\{[a-zA-Z]+\}/)
  const own = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const values = places.map(place => (place.startsWith('number') ? '([\\d,]+)' : '([\\s\\S]+)'))
  const expression = new RegExp(`^${own.map((part, index) => part + (values[index] ?? '')).join('')}$`)
  return { id, expression, places, weight: parts.join('').length }
}
