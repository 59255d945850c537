import { t } from '@lingui/core/macro'
import { ChartColumn } from 'lucide-react'
import { Link } from 'react-router'
import { core, type ResourceId } from '~/core'
import { locale } from '~/language'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import { kinds } from '~/records/kinds'
import { buttonClass } from '~/ui/Button'
import { State } from '~/ui/State'

type Step = {
  resource: ResourceId
  to: string
  name: string
  /** The sentence above the steps, if this is the first one. */
  start: string
}

/** What users do first in a new corporation, if they may create what the step is about. */
const STEPS: Step[] = [
  {
    resource: 'contacts',
    to: paths.newImport,
    name: t`Import Contacts`,
    start: t`Start by importing a CSV or Excel file. Every row is checked before anything is saved.`,
  },
  {
    resource: 'customers',
    to: paths.customers,
    name: t`Add customers`,
    start: t`Start with your first customer.`,
  },
  {
    resource: 'vehicles',
    to: paths.vehicles,
    name: t`Add vehicles`,
    start: t`Start with your first vehicle.`,
  },
  {
    resource: 'agreements',
    to: paths.agreements,
    name: t`Create agreements`,
    start: t`Start with your first agreement.`,
  },
  {
    resource: 'invoices',
    to: paths.invoices,
    name: t`Create invoices`,
    start: t`Start with your first invoice.`,
  },
  { resource: 'users', to: paths.users, name: t`Add users`, start: t`Start by adding your colleagues.` },
]

const REGISTER_CORPORATIONS: Step = {
  resource: 'corporations',
  to: paths.corporations,
  name: t`Go to corporations`,
  start: t`Each dealer has its own corporation. Register one and its administrator, who can then add roles, users and records.`,
}

const FIGURES: ResourceId[] = ['contacts', 'customers', 'vehicles', 'agreements', 'invoices']

/** Links to first steps, such as importing contacts, shown instead of empty charts in a new corporation. */
export function FirstSteps() {
  const { resources } = useSession()
  // A platform administrator registers corporations: the platform's own corporation has no records.
  const steps = core.may(resources, 'corporations', 'create')
    ? [REGISTER_CORPORATIONS]
    : STEPS.filter(({ resource }) => core.may(resources, resource, 'create'))
  const readable = FIGURES.filter(resource => core.may(resources, resource, 'read'))
  const records = new Intl.ListFormat(locale, { type: 'disjunction' }).format(
    readable.flatMap(resource => kinds.get(resource)?.words.many ?? []),
  )
  return (
    <section className="card">
      <State
        icon={<ChartColumn className="size-6" />}
        title={t`Your numbers will appear here`}
        action={
          steps.length > 0 &&
          steps.map(({ to, name }, index) => (
            <Link key={to} to={to} className={buttonClass(index === 0 ? 'primary' : 'secondary')}>
              {name}
            </Link>
          ))
        }
      >
        {steps[0]?.start ?? (records && t`Once ${records} are added, you'll see their figures here.`)}
      </State>
    </section>
  )
}
