/** Returns the URL that calls a phone number. It keeps only what a phone can dial. */
export const telUrl = (number: string) => `tel:${number.replace(/[^+\d]/g, '')}`

export const mailUrl = (email: string) => `mailto:${email}`

/** Returns the URLs that call and mail a person, without those for which there is no number or address. */
export const reachUrls = (phone: string | undefined, email: string | undefined) => [
  ...(phone ? [telUrl(phone)] : []),
  ...(email ? [mailUrl(email)] : []),
]
