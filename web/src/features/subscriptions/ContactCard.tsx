import { t } from '@lingui/core/macro'
import { Mail } from 'lucide-react'
import type { ContactPerson, CorporationResource } from '~/core'
import { buttonClass } from '~/ui/Button'

type Props = { contact: ContactPerson; modules: CorporationResource[]; corporation: string }

/** Returns a `mailto:` URL for a mail that asks for these modules. Its lines end with CRLF (RFC 6068). */
function mailTo(email: string, modules: CorporationResource[], corporation: string): string {
  const subject = t`Modules for ${corporation}`
  const lines = [t`Hello,`, '', t`We would like to use:`, ...modules.map(({ title }) => `- ${title}`)]
  const body = lines.map(line => `${line}\r\n`).join('')
  // `URLSearchParams` isn't used: it encodes spaces as plus signs, which mail programs would show.
  return `mailto:${email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

export function ContactCard({ contact: { name, email }, modules, corporation }: Props) {
  return (
    <section className="card flex flex-wrap items-center justify-between gap-x-6 gap-y-4 p-5">
      <div className="min-w-0">
        <h2 className="text-base font-semibold">{t`Who to ask`}</h2>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">
          {email ? (
            <>
              {name ? `${name}, ` : ''}
              <span className="text-ink">{email}</span>
            </>
          ) : (
            t`Ask the person who manages this installation.`
          )}
        </p>
      </div>
      {email && (
        <a href={mailTo(email, modules, corporation)} className={buttonClass('primary', 'max-sm:w-full')}>
          <Mail aria-hidden className="size-4" />
          {t`Request an upgrade`}
        </a>
      )}
    </section>
  )
}
