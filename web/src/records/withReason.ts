/** Returns the sentence `failed`, followed by the server's reason `why` if that is another sentence. */
export const withReason = (failed: string, why: string | undefined) =>
  why && why !== failed ? `${failed} ${why}` : failed
