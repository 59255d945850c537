/** Lets the browser save a file that the page has. */
export function save(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser takes the file over a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
