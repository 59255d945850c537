import { Globe, Mail, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Contact, core } from '~/core'
import { exactMoment, moment } from '~/lib/format'
import { paths } from '~/lib/paths'
import { Card, Facts, NONE } from '~/ui/Card'

const time = (value: string | undefined) =>
  value && (
    <time dateTime={value} title={exactMoment(value)}>
      {moment(value)}
    </time>
  )

type Props = {
  contact: Contact
  /** What was said about it: beside the cards where there is room, before the last of them where there isn't. */
  comments: ReactNode
}

/** Everything that is known of a contact. */
export function ContactDetails({ contact, comments }: Props) {
  const { email, phone, website, address } = contact
  const ways = [
    { icon: Mail, label: 'Email', text: email, href: `mailto:${email}` },
    { icon: Phone, label: 'Phone', text: phone, href: `tel:${phone.replace(/[^+\d]/g, '')}` },
    { icon: Globe, label: 'Website', text: website, href: website && core.websiteLink(website) },
  ]
  const details = Object.entries(contact.otherDetails)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_auto_auto_1fr]">
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
      <div className="lg:col-start-2 lg:row-span-4 lg:row-start-1">{comments}</div>
      {details.length > 0 && <OtherDetails details={details} />}
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
            ['Import Batch ID', contact.importBatchId && <Batch key="batch" id={contact.importBatchId} />],
            ['Created At', time(contact.createdAt)],
            ['Updated At', time(contact.updatedAt)],
          ]}
        />
      </Card>
    </div>
  )
}

/** Leads to everybody who came with the same file. */
function Batch({ id }: { id: string }) {
  return (
    <Link
      to={paths.importedContacts(id)}
      className="rounded font-medium text-accent-text tabular-nums hover:underline"
    >
      {id}
    </Link>
  )
}

/** What else a file said of a contact, under the names that it used. */
function OtherDetails({ details }: { details: [name: string, value: string][] }) {
  return (
    <Card title="Other Details">
      <table aria-label="Other Details" className="-my-2 w-full table-fixed text-left">
        <thead className="sr-only">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {details.map(([name, value]) => (
            <tr key={name} className="align-top">
              <th scope="row" className="w-2/5 py-2 pr-4 font-normal text-muted [overflow-wrap:anywhere]">
                {name}
              </th>
              <td className="py-2 whitespace-pre-line [overflow-wrap:anywhere]">{value || NONE}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
