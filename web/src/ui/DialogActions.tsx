import type { ReactNode } from 'react'

/**
 * The buttons of a dialog. They stay in view while a long dialog scrolls, except in a low window. On a phone they
 * share its whole width.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="dialog-actions mt-4 max-md:mt-auto print:hidden">
      <div className="mt-3 flex flex-wrap justify-end gap-2 max-md:*:flex-1">{children}</div>
    </div>
  )
}

/** The buttons of a small dialog, which scrolls with them. On a phone they share its whole width. */
export const SmallDialogActions = ({ children }: { children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-2 max-md:*:flex-1">{children}</div>
)
