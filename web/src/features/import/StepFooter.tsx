import type { ReactNode } from 'react'
import { bottomBar } from '~/ui/bottomBar'

/** The buttons of a step, fixed to the bottom of the window. */
export function StepFooter({ children }: { children: ReactNode }) {
  return (
    <div
      ref={bottomBar}
      className="bottom-bar sticky bottom-(--covered) z-10 -mx-4 mt-auto -mb-6 grid gap-3 border-t border-line bg-ground px-4 py-3 low:py-1.5 md:-mx-6 md:-mb-8 md:px-6"
    >
      {children}
    </div>
  )
}
