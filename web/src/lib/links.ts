/** Returns the URL that calls a phone number. It keeps only what a phone can dial. */
export const telUrl = (number: string) => `tel:${number.replace(/[^+\d]/g, '')}`

export const mailUrl = (email: string) => `mailto:${email}`
