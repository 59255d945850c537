/** Returns a pair of functions for `useSyncExternalStore`: `subscribe`, and `notify`, which calls all listeners. */
export function createEmitter() {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify() {
      for (const listener of listeners) listener()
    },
  }
}
