import { core } from '~/core'

/**
 * Returns the URL that calls the first phone number of a text, with only what a phone can dial; undefined for a text
 * without digits, and for a number in scientific notation, whose last digits may be missing.
 */
export function telUrl(text: string): string | undefined {
  if (/^\s*\d([.,]\d+)?e\+?\d+\s*$/i.test(text)) return undefined
  // Programs that read a phone number as a decimal number write it with ".0" at its end.
  const whole = text.replace(/^(\s*\d+)\.0\s*$/, '$1')
  // After these characters or a letter, another number or an extension begins.
  const number = /\+?[\s(]*\d[^/,;\p{L}]*/u.exec(whole)?.[0]
  if (number === undefined) return undefined
  // The zero in "+46 (0)70" is dialled only within the country.
  const isInternational = /^(\+|[\s(]*00)/.test(number)
  const dialled = isInternational ? number.replace(/\(\s*0\s*\)/, '') : number
  return `tel:${dialled.replace(/(?!^\+)\D/g, '')}`
}

/** Returns the URL that mails this address; undefined if an erasure has removed it. */
export const mailUrl = (email: string) => (core.isErased(email) ? undefined : `mailto:${email}`)

/** Returns the URLs that call and mail a person, without those for which there is no number or address. */
export const reachUrls = (phone: string | undefined, email: string | undefined) =>
  [phone && telUrl(phone), email && mailUrl(email)].filter(url => !!url) as string[]
