/**
 * Calls `look` again and again until it returns a value, and returns that. After a minute, throws an error that names
 * `what`.
 */
export async function poll<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 60_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`not within a minute: ${what}`)
    await new Promise(done => setTimeout(done, 20))
  }
}
