import { t } from '@lingui/core/macro'
import { useLoaderData, useParams } from 'react-router'
import { reachUrls } from '~/lib/links'
import { paths } from '~/lib/paths'
import { HistoryCard } from '~/records/history/HistoryCard'
import { RecordPage } from '~/records/RecordPage'
import { useRecordPage } from '~/records/useRecordPage'
import { Comments } from './Comments'
import { ContactDetails } from './ContactDetails'
import { ContactForm } from './ContactForm'
import { DeleteContactDialog } from './DeleteContactDialog'
import { type contactLoader, contactSource } from './loader'

/** The page of a contact. The key resets its state when another contact is opened. */
export function ContactPage() {
  const { id = '' } = useParams()
  return <ContactContent key={id} id={id} />
}

function ContactContent({ id }: { id: string }) {
  const { promise } = useLoaderData<typeof contactLoader>()
  const page = useRecordPage({ route: paths.contacts, id, promise, source: contactSource })
  const { form, deletion, may, record, setRecord } = page
  return (
    <RecordPage
      page={page}
      noun={t`Contact`}
      listName={t`Contacts`}
      loadFailed={t`Failed to load contact details`}
      forbidden={t`You don't have access to this contact`}
      nameOf={contact => contact.name}
      reachOf={({ phone, email }) => reachUrls(phone, email)}
      dialogs={
        <>
          {form && (
            <ContactForm
              {...form}
              record={record}
              onSaved={saved => {
                form.onClose(false)
                setRecord(saved)
              }}
            />
          )}
          {deletion && <DeleteContactDialog {...deletion} />}
        </>
      }
    >
      {contact => (
        <div className="grid gap-4">
          <ContactDetails
            contact={contact}
            comments={<Comments contact={contact} mayDelete={may.can_delete ?? false} onChange={setRecord} />}
          />
          <HistoryCard resource="contacts" id={id} record={contact} />
        </div>
      )}
    </RecordPage>
  )
}
