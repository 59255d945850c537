import { CloudOff, Contact as ContactIcon, Lock, SearchX, TriangleAlert, Upload } from 'lucide-react'
import { Link, useRevalidator } from 'react-router'
import { core, type ContactList as List } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { Button, buttonClass } from '~/ui/Button'
import { Pagination } from '~/ui/Pagination'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { ContactTable } from './ContactTable'
import { type ListQuery, listAddress } from './query'

type Props = { query: ListQuery; loaded: Loaded<List>; mayCreate: boolean; onCreate: () => void }

/** The contacts of a page, or what stands in their place. */
export function ContactList({ query, loaded, mayCreate, onCreate }: Props) {
  const { outcome, stale } = loaded
  if (!outcome) return <SkeletonRows rows={core.contactsPageSize()} columns={4} />
  if (!outcome.ok) return <Failed error={outcome.error} />
  const { data, pagination } = outcome.value
  const { currentPage, totalPages, totalContacts } = pagination
  if (totalContacts === 0) {
    return query.search ? (
      <NothingFound search={query.search} />
    ) : (
      <Empty mayCreate={mayCreate} onCreate={onCreate} />
    )
  }
  const [from, to] = core.shown(currentPage, core.contactsPageSize(), totalContacts)
  return (
    <>
      {data.length > 0 ? (
        <ContactTable contacts={data} stale={stale} />
      ) : (
        <State
          icon={<ContactIcon className="size-6" />}
          title="This page is empty"
          action={
            <Link to={listAddress({ ...query, page: 1 })} className={buttonClass()}>
              Go to the first page
            </Link>
          }
        >
          The list has {totalPages} {totalPages === 1 ? 'page' : 'pages'}.
        </State>
      )}
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-3 md:px-4">
        <p role="status" className="text-muted tabular-nums">
          {`Showing ${from} to ${to} of ${totalContacts} contacts`}
        </p>
        <Pagination
          current={currentPage}
          totalPages={totalPages}
          numbering="gapped"
          to={page => listAddress({ ...query, page })}
        />
      </footer>
    </>
  )
}

function Failed({ error }: { error: unknown }) {
  const problem = problemOf(error)
  const { revalidate, state } = useRevalidator()
  if (problem?.status === 403) {
    return (
      <State icon={<Lock className="size-6" />} title="You can't see these contacts">
        {problem.message}
      </State>
    )
  }
  return (
    <State
      urgent
      icon={problem?.status === 0 ? <CloudOff className="size-6" /> : <TriangleAlert className="size-6" />}
      title={core.texts().contacts.loadFailed}
      action={
        <Button kind="primary" busy={state === 'loading'} onClick={() => void revalidate()}>
          Try Again
        </Button>
      }
    >
      {problem?.message}
    </State>
  )
}

function NothingFound({ search }: { search: string }) {
  return (
    <State
      icon={<SearchX className="size-6" />}
      title={`No contacts found for “${search}”`}
      action={
        <Link to={paths.contacts} className={buttonClass()}>
          Clear search
        </Link>
      }
    >
      Check the spelling, or look for a part of the name, email or phone number.
    </State>
  )
}

function Empty({ mayCreate, onCreate }: { mayCreate: boolean; onCreate: () => void }) {
  return (
    <State
      icon={<ContactIcon className="size-6" />}
      title="No contacts yet"
      action={
        mayCreate && (
          <>
            <Button kind="primary" onClick={onCreate}>
              Add the first contact
            </Button>
            <Link to={paths.newImport} className={buttonClass()}>
              <Upload aria-hidden className="size-4" />
              Import a file
            </Link>
          </>
        )
      }
    >
      {mayCreate ? 'Add one by hand, or bring in a whole CSV or Excel file.' : 'Nobody has added any so far.'}
    </State>
  )
}
