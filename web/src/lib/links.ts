/** Returns the URL that calls a phone number, with only what a phone can dial; undefined for a text without digits. */
export const telUrl = (number: string) =>
  /\d/.test(number) ? `tel:${number.replace(/[^+\d]/g, '')}` : undefined

export const mailUrl = (email: string) => `mailto:${email}`

/** Returns the URLs that call and mail a person, without those for which there is no number or address. */
export const reachUrls = (phone: string | undefined, email: string | undefined) =>
  [phone && telUrl(phone), email && mailUrl(email)].filter(url => !!url) as string[]
