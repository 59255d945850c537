/** Functions that save, read and delete one value in the browser's storage, as JSON. */
export const storedValue = <T>(area: 'localStorage' | 'sessionStorage', key: string) => ({
  save: (value: T) => window[area].setItem(key, JSON.stringify(value)),
  read(): T | undefined {
    const stored = window[area].getItem(key)
    return stored === null ? undefined : JSON.parse(stored)
  },
  forget: () => window[area].removeItem(key),
})
