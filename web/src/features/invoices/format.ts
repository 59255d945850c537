/** Returns that something failed and, if the server says it, why. */
export const failure = (failed: string, why: string | undefined) =>
  why && why !== failed ? `${failed} ${why}` : failed
