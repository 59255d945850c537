/** Returns the sentence `failed`, followed by the server's reason `why` if that says more. */
export const failure = (failed: string, why: string | undefined) =>
  why && why !== failed ? `${failed} ${why}` : failed
