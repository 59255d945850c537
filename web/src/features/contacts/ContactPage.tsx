import { reachUrls } from '~/lib/links'
import { HistoryCard } from '~/records/history/HistoryCard'
import { RecordPage } from '~/records/RecordPage'
import { useRecordPage } from '~/records/useRecordPage'
import { Comments } from './Comments'
import { ContactDetails } from './ContactDetails'
import { ContactForm } from './ContactForm'
import { kind } from './kind'

/** The page of a contact. */
export function ContactPage() {
  const page = useRecordPage(kind)
  const { may, setRecord } = page
  return (
    <RecordPage
      page={page}
      reachOf={({ phone, email }) => reachUrls(phone, email)}
      form={form => (
        <ContactForm
          {...form}
          onSaved={saved => {
            form.onClose(false)
            setRecord(saved)
          }}
        />
      )}
    >
      {contact => (
        <div className="grid gap-4">
          <ContactDetails
            contact={contact}
            comments={<Comments contact={contact} mayDelete={may.can_delete ?? false} onChange={setRecord} />}
          />
          <HistoryCard kind={kind} record={contact} />
        </div>
      )}
    </RecordPage>
  )
}
