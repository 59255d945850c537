/** What takes milliseconds to make and isn't needed by every screen: made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}
