import { ArrowLeft } from 'lucide-react'
import { Link, useLoaderData } from 'react-router'
import { core } from '~/core'
import { useLoaded } from '~/lib/load'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { LoadFailed } from '~/ui/LoadFailed'
import { ContactDetails } from './ContactDetails'
import { useListBehind } from './ContactLink'
import type { contactLoader } from './route'

/** One contact. */
export function ContactPage() {
  const { coming } = useLoaderData<typeof contactLoader>()
  const { outcome } = useLoaded(coming)
  const list = useListBehind()
  useTitle(outcome?.ok ? outcome.value.name : 'Contact')
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
      <Link to={list} className={buttonClass('ghost', '-ml-4 print:hidden')}>
        <ArrowLeft aria-hidden className="size-4" />
        Contacts
      </Link>
      {!outcome && <Skeleton />}
      {outcome?.ok && <ContactDetails contact={outcome.value} />}
      {outcome && !outcome.ok && (
        <LoadFailed
          error={outcome.error}
          title={core.texts().contacts.detailsLoadFailed}
          forbidden="You can't see this contact"
        />
      )}
    </div>
  )
}

function Skeleton() {
  return (
    <div role="status" className="mt-4">
      <span className="sr-only">Loading</span>
      <div aria-hidden className="flex items-center gap-4">
        <div className="skeleton size-14 rounded-full" />
        <div className="skeleton h-7 w-56" />
      </div>
      <div aria-hidden className="mt-6 grid gap-4 md:grid-cols-2">
        <div className="skeleton h-44 rounded-xl" />
        <div className="skeleton h-44 rounded-xl" />
      </div>
    </div>
  )
}
