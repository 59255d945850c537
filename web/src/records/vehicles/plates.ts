/** Returns names of vehicles whose number plates, which follow a comma, don't break between two lines. */
export const withWholePlates = (names: string) =>
  names.replace(/, [^,;]+/g, plate => `, ${plate.slice(2).replaceAll(' ', '\u00a0')}`)
