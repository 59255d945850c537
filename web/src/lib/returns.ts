/** Calls `listener` when the user returns to the page, until the returned function is called. */
export function onReturn(listener: () => void): () => void {
  const listen = () => {
    if (document.visibilityState === 'visible') listener()
  }
  addEventListener('focus', listen)
  document.addEventListener('visibilitychange', listen)
  return () => {
    removeEventListener('focus', listen)
    document.removeEventListener('visibilitychange', listen)
  }
}
