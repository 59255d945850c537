/** Downloads a file that the page has in memory. */
export function save(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Not revoked at once, because the browser reads the URL asynchronously.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
