import { t } from '@lingui/core/macro'
import { Mail, Phone } from 'lucide-react'
import { core } from '~/core'
import { shownText } from '~/lib/words'

type Props = {
  /** The person's name. */
  name: string
  /** `tel:` and `mailto:` URLs. */
  urls: readonly string[]
  /** Other persons of the list have more links. A missing one that mails leaves its space empty. */
  hasGap?: boolean
}

/** Round links that call and mail a person, the call first. They lie above a row that is a target as a whole. */
export function ReachLinks({ name, urls, hasGap = false }: Props) {
  const calls = urls.filter(url => url.startsWith('tel:'))
  const mails = urls.filter(url => !url.startsWith('tel:'))
  const link = (url: string, label: string, Icon: typeof Mail) => (
    <a
      key={url}
      href={url}
      aria-label={label}
      className="relative z-1 inline-flex size-12 shrink-0 items-center justify-center rounded-full text-accent-text first:bg-soft"
    >
      <Icon aria-hidden className="size-5" />
    </a>
  )
  return (
    <>
      {calls.map(url => link(url, t`Call ${name}`, Phone))}
      {mails.map(url => link(url, t`Email ${name}`, Mail))}
      {hasGap && mails.length === 0 && calls.length > 0 && <span aria-hidden className="size-12 shrink-0" />}
    </>
  )
}

const linkClass = 'text-target rounded font-medium text-accent-text hover:underline'

/** Returns a link with a text that calls or mails a person; only the text without a URL, or if it is empty. */
export const reachLink = (url: string | undefined, text: string) =>
  url && text ? (
    <a href={url} className={linkClass}>
      {text}
    </a>
  ) : (
    shownText(text)
  )

/**
 * Returns a link to a website. One that is no valid URL, because it was stored before its rule existed, is returned as
 * text.
 */
export function websiteLink(website: string) {
  const url = !core.isErased(website) && core.websiteLink(website)
  if (!url) return shownText(website)
  return (
    <a href={url} target="_blank" rel="noreferrer" className={linkClass}>
      {website}
    </a>
  )
}
