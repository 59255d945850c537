/** Whether the login page was opened because the session ended. In memory, so that a later visit doesn't show it. */
let hasEnded = false

export const sessionEnd = {
  mark() {
    hasEnded = true
  },
  isMarked: () => hasEnded,
  forget() {
    hasEnded = false
  },
}
