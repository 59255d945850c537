import { t } from '@lingui/core/macro'
import { Contact as ContactIcon, SearchX, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { type ContactSummary, core, type ContactList as List, type Permissions } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { Button, buttonClass } from '~/ui/Button'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { ContactTable } from './ContactTable'
import { type ContactsQuery, contactsAddress } from './query'

type Props = {
  query: ContactsQuery
  loaded: Loaded<List>
  may: Permissions
  onCreate: () => void
  onEdit: (contact: ContactSummary) => void
  onDelete: (contact: ContactSummary) => void
}

/** The contacts of a page, or what stands in their place. */
export function ContactList({ query, loaded, may, onCreate, onEdit, onDelete }: Props) {
  const { outcome, stale } = loaded
  const pageSize = core.contactsPageSize()
  if (!outcome) return <SkeletonRows rows={pageSize} columns={4} />
  if (!outcome.ok) {
    return (
      <LoadFailed
        error={outcome.error}
        title={core.texts().contacts.loadFailed}
        forbidden={t`You don't have access to contacts`}
      />
    )
  }
  const { data, pagination } = outcome.value
  const { currentPage, totalPages, totalContacts } = pagination
  if (totalContacts === 0) {
    return query.search || query.importBatchId ? (
      <NothingFound query={query} />
    ) : (
      <Empty mayCreate={may.can_create ?? false} onCreate={onCreate} />
    )
  }
  const to = (page: number) => contactsAddress({ ...query, page })
  return (
    <>
      {data.length > 0 ? (
        <ContactTable contacts={data} stale={stale} may={may} onEdit={onEdit} onDelete={onDelete} />
      ) : (
        <EmptyPage totalPages={totalPages} first={to(1)} />
      )}
      <ListFooter
        page={currentPage}
        pageSize={pageSize}
        totalPages={totalPages}
        total={totalContacts}
        noun={t`contacts`}
        numbering="gapped"
        to={to}
      />
    </>
  )
}

function NothingFound({ query: { search, importBatchId } }: { query: ContactsQuery }) {
  return (
    <State
      icon={<SearchX className="size-6" />}
      title={search ? t`No contacts found for “${search}”` : t`No contacts from this import`}
      action={
        <Link to={paths.contacts} className={buttonClass()}>
          {importBatchId ? t`Show all contacts` : t`Clear search`}
        </Link>
      }
    >
      {!search
        ? t`They may have been deleted.`
        : importBatchId
          ? t`You searched the contacts from one import. Show all contacts to search the rest.`
          : t`Check the spelling, or try part of a name, email or phone number.`}
    </State>
  )
}

function Empty({ mayCreate, onCreate }: { mayCreate: boolean; onCreate: () => void }) {
  return (
    <State
      icon={<ContactIcon className="size-6" />}
      title={t`No contacts yet`}
      action={
        mayCreate && (
          <>
            <Button kind="primary" onClick={onCreate}>
              {t`Add the first contact`}
            </Button>
            <Link to={paths.newImport} className={buttonClass()}>
              <Upload aria-hidden className="size-4" />
              {t`Import a file`}
            </Link>
          </>
        )
      }
    >
      {mayCreate
        ? t`Add a contact, or import a CSV or Excel file.`
        : t`Contacts will appear here once they are added.`}
    </State>
  )
}
