import { t } from '@lingui/core/macro'
import { ChartColumn } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { buttonClass } from '~/ui/Button'
import { State } from '~/ui/State'

/** Links to first steps, such as importing contacts, shown instead of empty charts in a new corporation. */
export function FirstSteps() {
  const isPlatform = usePermissions(paths.corporations).can_create
  const own = [
    { to: paths.newImport, name: t`Import Contacts`, open: usePermissions(paths.contacts).can_create },
    { to: paths.customers, name: t`Add customers`, open: usePermissions(paths.customers).can_create },
    { to: paths.invoices, name: t`Create invoices`, open: usePermissions(paths.invoices).can_create },
    { to: paths.users, name: t`Add users`, open: usePermissions(paths.users).can_create },
  ].filter(step => step.open)
  // A platform administrator registers corporations: the platform's own corporation has no records.
  const steps = isPlatform ? [{ to: paths.corporations, name: t`Go to corporations` }] : own
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
        {isPlatform
          ? t`Each dealer has its own corporation. Register one and its administrator, who can then add roles, users and records.`
          : steps.length > 0
            ? t`Start by importing a CSV or Excel file. Every row is checked before anything is saved.`
            : t`Once customers, contacts or invoices are added, you'll see them here month by month.`}
      </State>
    </section>
  )
}
