import { type ReactNode, useEffect, useRef } from 'react'

/** The heading of a step. When the step opens, the page scrolls to the top and the heading gets the focus. */
export function StepHeading({ id, children }: { id: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h2
      id={id}
      ref={heading}
      tabIndex={-1}
      className="text-lg leading-6 font-semibold tracking-tight outline-none"
    >
      {children}
    </h2>
  )
}
