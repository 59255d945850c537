import { FileQuestionMark } from 'lucide-react'
import { Link, type To } from 'react-router'
import { buttonClass } from './Button'
import { State } from './State'

/** Stands where the rows of a page would be that a list doesn't have. */
export function EmptyPage({ totalPages, first }: { totalPages: number; first: To }) {
  return (
    <State
      icon={<FileQuestionMark className="size-6" />}
      title="This page is empty"
      action={
        <Link to={first} className={buttonClass()}>
          Go to the first page
        </Link>
      }
    >
      The list has {totalPages} {totalPages === 1 ? 'page' : 'pages'}.
    </State>
  )
}
