import { plural, t } from '@lingui/core/macro'
import { FileQuestionMark } from 'lucide-react'
import { Link, type To } from 'react-router'
import { buttonClass } from './Button'
import { State } from './State'

/** Shown in place of the rows if the URL's page number is beyond the last page of a list. */
export function EmptyPage({ totalPages, first }: { totalPages: number; first: To }) {
  return (
    <State
      icon={<FileQuestionMark className="size-6" />}
      title={t`This page is empty`}
      action={
        <Link to={first} className={buttonClass()}>
          {t`Go to the first page`}
        </Link>
      }
    >
      {plural(totalPages, { one: 'The list has # page.', other: 'The list has # pages.' })}
    </State>
  )
}
