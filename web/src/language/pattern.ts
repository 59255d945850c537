/** Recognizes a message with values, such as `Minimum length is {number} characters`. */
export type Pattern = {
  id: string
  expression: RegExp
  /** The names of the placeholders, in order. */
  places: string[]
  /** The length of the fixed text. */
  weight: number
}

const PLACE = /\{([a-zA-Z]+)\}/g

/** Returns the pattern of a message; undefined without placeholders. */
export function patternOf(id: string): Pattern | undefined {
  const places = [...id.matchAll(PLACE)].map(([, name = '']) => name)
  if (places.length === 0) return undefined
  const parts = id.split(/\{[a-zA-Z]+\}/)
  const own = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const values = places.map(place => (place.startsWith('number') ? '([\\d,]+)' : '([\\s\\S]+)'))
  const expression = new RegExp(`^${own.map((part, index) => part + (values[index] ?? '')).join('')}$`)
  return { id, expression, places, weight: parts.join('').length }
}
