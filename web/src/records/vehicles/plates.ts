/**
 * Returns names of vehicles, divided by semicolons, whose number plates don't break between two lines. A plate follows
 * the last comma of a name.
 */
export const withWholePlates = (names: string) =>
  names.replace(/, [^,;]+(?=;|$)/g, plate => `, ${plate.slice(2).replaceAll(' ', '\u00a0')}`)
