import { Globe, Mail, Phone } from 'lucide-react'
import { type Contact, core } from '~/core'
import { exactMoment, moment } from '~/lib/format'
import { Avatar } from '~/ui/Avatar'
import { Card, Facts, NONE } from '~/ui/Card'

const time = (value: string | undefined) =>
  value && (
    <time dateTime={value} title={exactMoment(value)}>
      {moment(value)}
    </time>
  )

/** Everything that is known of a contact. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const { name, email, phone, website, address } = contact
  const ways = [
    { icon: Mail, label: 'Email', text: email, href: `mailto:${email}` },
    { icon: Phone, label: 'Phone', text: phone, href: `tel:${phone.replace(/[^+\d]/g, '')}` },
    { icon: Globe, label: 'Website', text: website, href: website && core.websiteLink(website) },
  ]
  const details = Object.entries(contact.otherDetails)
  return (
    <>
      <header className="mt-3 mb-6 flex items-center gap-4">
        <Avatar name={name} size="large" />
        <h1 className="min-w-0 text-2xl leading-8 font-semibold tracking-tight [overflow-wrap:anywhere]">
          {name}
        </h1>
      </header>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title="Contact">
          <ul className="grid gap-1">
            {ways.map(({ icon: Icon, label, text, href }) => (
              <li key={label} className="flex min-h-9 items-center gap-3">
                <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
                <span className="sr-only">{label}: </span>
                {text ? (
                  <a
                    href={href}
                    {...(label === 'Website' && { target: '_blank', rel: 'noreferrer' })}
                    className="min-w-0 rounded font-medium text-accent-text [overflow-wrap:anywhere] hover:underline"
                  >
                    {text}
                  </a>
                ) : (
                  NONE
                )}
              </li>
            ))}
          </ul>
        </Card>
        <Card title="Address">
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{address || NONE}</p>
        </Card>
        {details.length > 0 && (
          <Card title="Other Details">
            <Facts facts={details} />
          </Card>
        )}
        <Card title="System Information">
          <Facts
            facts={[
              [
                'Contact ID',
                <span key="id" className="tabular-nums">
                  {contact._id}
                </span>,
              ],
              ['Import Source', contact.importSource],
              ['Imported At', time(contact.importedAt)],
              ['Import Batch ID', contact.importBatchId],
              ['Created At', time(contact.createdAt)],
              ['Updated At', time(contact.updatedAt)],
            ]}
          />
        </Card>
      </div>
    </>
  )
}
