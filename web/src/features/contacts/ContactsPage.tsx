import { t } from '@lingui/core/macro'
import { Contact as ContactIcon, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { addressAfter } from '~/lib/query'
import { useTitle } from '~/lib/title'
import { DeleteRecordDialog } from '~/records/DeleteRecordDialog'
import { EmptyList } from '~/records/EmptyList'
import { DuplicatesLink } from '~/records/merge/DuplicatesLink'
import { mayMergeRecords } from '~/records/merge/duplicates'
import { NothingFound, RecordList } from '~/records/RecordList'
import { DeleteButton, EditButton, ViewLink, widthOfButtons } from '~/records/RowActions'
import { useListRecords } from '~/records/useRecords'
import { buttonClass } from '~/ui/Button'
import { ActionLink } from '~/ui/MoreMenu'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { ContactForm } from './ContactForm'
import { columns } from './columns'
import { ImportFilter } from './ImportFilter'
import { type ContactsQuery, kind } from './kind'

export function ContactsPage() {
  useTitle(t`Contacts Management`)
  const contacts = useListRecords(kind)
  const { query, may, hasDraft, create, form, deletion, section } = contacts
  const { outcome } = contacts.loaded
  const mayMerge = mayMergeRecords(may)
  return (
    <Page
      title={t`Contacts Management`}
      subtitle={t`The people and companies you work with.`}
      actions={
        may.can_create && (
          <NewButton
            label={t`+ Add New Contact`}
            does={t`Add New Contact`}
            hasDraft={hasDraft}
            onClick={create}
          />
        )
      }
      more={
        (may.can_create || mayMerge) && (
          <>
            {mayMerge && <DuplicatesLink to={paths.duplicateContacts} />}
            {may.can_create && (
              <ActionLink to={paths.newImport} icon={Upload}>
                {t`Import Contacts`}
              </ActionLink>
            )}
          </>
        )
      }
    >
      <RecordList
        list="contacts"
        records={contacts}
        search={{ label: t`Search contacts`, hasButton: true }}
        bulk={{ nameOf: kind.nameOf, query: { importBatchId: query.importBatchId } }}
        label={t`Contacts`}
        noun={t`contacts`}
        singularNoun={kind.words.one}
        pageSize={core.recordPageSize('contacts')}
        numbering="gapped"
        loadFailed={t`Failed to load contacts`}
        forbidden={t`You don't have access to contacts`}
        empty={
          query.search || query.importBatchId ? (
            <NoMatch query={query} />
          ) : (
            <NoContacts onCreate={may.can_create && create} />
          )
        }
        columns={columns}
        idOf={kind.idOf}
        actionsWidth={widthOfButtons(3)}
        hasReadActions
        actions={contact => (
          <>
            <ViewLink to={paths.contact(contact._id)} label={t`View details of ${kind.nameOf(contact)}`} />
            <EditButton records={contacts} record={contact} label={t`Edit ${kind.nameOf(contact)}`} />
            <DeleteButton records={contacts} record={contact} label={t`Delete ${kind.nameOf(contact)}`} />
          </>
        )}
      >
        {query.importBatchId && (
          <ImportFilter
            query={query}
            list={outcome?.ok ? outcome.value : undefined}
            mayImport={may.can_create ?? false}
            onRemoved={() => section.current?.focus()}
          />
        )}
      </RecordList>
      {form && <ContactForm {...form} />}
      {deletion && <DeleteRecordDialog kind={kind} {...deletion} />}
    </Page>
  )
}

function NoMatch({ query }: { query: ContactsQuery }) {
  const { search, importBatchId } = query
  return (
    <NothingFound
      title={search ? t`No contacts found for “${search}”` : t`No contacts from this import`}
      clear={importBatchId ? t`Show all contacts` : t`Clear search`}
      to={addressAfter(kind, query, { search: '', importBatchId: '' })}
    >
      {!search
        ? t`They may have been deleted.`
        : importBatchId
          ? t`You searched the contacts from one import. Show all contacts to search the rest.`
          : t`Check the spelling, or try part of a name, email or phone number.`}
    </NothingFound>
  )
}

function NoContacts({ onCreate }: { onCreate: (() => void) | false | undefined }) {
  const importLink = (
    <Link to={paths.newImport} className={buttonClass()}>
      <Upload aria-hidden className="size-4" />
      {t`Import a file`}
    </Link>
  )
  return (
    <EmptyList
      icon={ContactIcon}
      title={t`No contacts yet`}
      button={t`Add the first contact`}
      onCreate={onCreate}
      others={importLink}
    >
      {onCreate
        ? t`Add a contact, or import a CSV or Excel file.`
        : t`Contacts will appear here once they are added.`}
    </EmptyList>
  )
}
