import { t } from '@lingui/core/macro'
import { Globe, Mail, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Contact, core } from '~/core'
import { textOf } from '~/language'
import { telUrl } from '~/lib/links'
import { paths } from '~/lib/paths'
import { SystemInformation } from '~/records/SystemInformation'
import { Time } from '~/records/Time'
import { Card, NONE } from '~/ui/Card'

type Props = {
  contact: Contact
  /** The card of the comments: beside the other cards, in a narrow window below the address. */
  comments: ReactNode
}

/** The values of a contact, in cards. */
export function ContactDetails({ contact, comments }: Props) {
  const { email, phone, website, address } = contact
  const links = [
    { icon: Mail, label: t`Email`, text: email, href: `mailto:${email}` },
    { icon: Phone, label: t`Phone`, text: phone, href: telUrl(phone) },
    { icon: Globe, label: t`Website`, text: website, href: core.websiteLink(website), isExternal: true },
  ]
  const details = Object.entries(contact.otherDetails)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_auto_auto_1fr]">
      <Card title={t`Contact`}>
        <ul className="grid gap-1">
          {links.map(({ icon: Icon, label, text, href, isExternal }) => (
            <li key={label} className="flex min-h-9 items-center gap-3 touch:min-h-touch">
              <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
              <span className="sr-only">{label}: </span>
              {text && href ? (
                <a
                  href={href}
                  {...(isExternal && { target: '_blank', rel: 'noreferrer' })}
                  className="text-target min-w-0 rounded font-medium text-accent-text [overflow-wrap:anywhere] hover:underline"
                >
                  {text}
                </a>
              ) : (
                <span className="min-w-0 [overflow-wrap:anywhere]">{text || NONE}</span>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t`Address`}>
        <p className="whitespace-pre-line [overflow-wrap:anywhere]">{address || NONE}</p>
      </Card>
      <div className="lg:col-start-2 lg:row-span-4 lg:row-start-1">{comments}</div>
      {details.length > 0 && <OtherDetails details={details} />}
      <SystemInformation
        record={contact}
        facts={[
          [t`Contact ID`, contact._id],
          [t`Import Source`, contact.importSource],
          [
            t`Imported At`,
            contact.importedAt && (
              <Time key="imported" at={contact.importedAt} className="block text-balance" />
            ),
          ],
          [t`Import Batch ID`, contact.importBatchId && <Batch key="batch" id={contact.importBatchId} />],
        ]}
      />
    </div>
  )
}

/** The id of the import job that created the contact, as a link to all contacts of that import. */
function Batch({ id }: { id: string }) {
  return (
    <Link to={paths.importedContacts(id)} className="rounded font-medium text-accent-text hover:underline">
      {id}
    </Link>
  )
}

/** The values for which contacts have no field, mostly from other columns of an imported file. */
function OtherDetails({ details }: { details: [name: string, value: string][] }) {
  return (
    <Card title={t`Other Details`}>
      <table aria-label={t`Other Details`} className="-my-2 w-full table-fixed text-left">
        <thead className="sr-only">
          <tr>
            <th scope="col">{t`Name`}</th>
            <th scope="col">{t`Value`}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {details.map(([name, value]) => (
            <tr key={name} className="align-top">
              <th scope="row" className="w-2/5 py-2 pr-4 font-normal text-muted [overflow-wrap:anywhere]">
                {textOf(core.columnTitle(name))}
              </th>
              <td className="py-2 whitespace-pre-line [overflow-wrap:anywhere]">{value || NONE}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
