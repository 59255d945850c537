import { ArrowRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'

type Props = {
  title: string
  /** The link to all of what the card shows some of. */
  all?: { name: string; to: string }
  /** Beside the title, such as a number. */
  note?: ReactNode
  children: ReactNode
}

/** A card of the dashboard: a title, what it shows, and perhaps a link to all of it. */
export function DashboardCard({ title, all, note, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card p-5 print:break-inside-avoid">
      <div className="flex min-h-10 flex-wrap items-center gap-x-2">
        <h2 id={id} tabIndex={-1} className="text-sm font-semibold outline-none">
          {title}
        </h2>
        {note}
        {all && (
          <Link
            to={all.to}
            className="ml-auto inline-flex min-h-9 items-center gap-1.5 rounded font-medium text-accent-text hover:underline touch:min-h-touch print:hidden"
          >
            {all.name}
            <ArrowRight aria-hidden className="size-4" />
          </Link>
        )}
      </div>
      {children}
    </section>
  )
}
