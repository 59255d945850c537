import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** A line below the heading that explains the section. */
  help?: string
  action?: ReactNode
  children: ReactNode
}

/** A section of a long form, with a heading. */
export function FormSection({ title, help, action, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="border-t border-line pt-5 pb-3 first-of-type:border-t-0 first-of-type:pt-0"
    >
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 id={id} className="text-sm font-semibold">
            {title}
          </h3>
          {help && <p className="mt-0.5 text-muted">{help}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
