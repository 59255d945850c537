import { t } from '@lingui/core/macro'
import { PackageOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AllowedResources } from '~/core'
import { Notice } from '~/ui/Notice'
import { State } from '~/ui/State'
import { ContactCard } from './ContactCard'
import { ModuleCard } from './ModuleCard'

type Props = { allowed: AllowedResources; corporation: string }

/** The modules to which the corporation has subscribed, and below another heading those to which it hasn't. */
export function Subscriptions({ allowed, corporation }: Props) {
  const { data, others, contact } = allowed
  return (
    <div className="grid gap-8">
      <Group title={t`Included`}>
        {data.length > 0 ? (
          <Cards>
            {data.map(module => (
              <ModuleCard key={module.resource_id} module={module} isIncluded />
            ))}
          </Cards>
        ) : (
          <div className="card">
            <State icon={<PackageOpen className="size-6" />} title={t`No modules included yet`}>
              {t`${corporation} has no modules. Ask for the ones you need.`}
            </State>
          </div>
        )}
      </Group>
      {others.length > 0 ? (
        <Group title={t`Not included`}>
          <Cards>
            {others.map(module => (
              <ModuleCard key={module.resource_id} module={module} />
            ))}
          </Cards>
        </Group>
      ) : (
        <Notice kind="success">{t`${corporation} has every available module.`}</Notice>
      )}
      {others.length > 0 && <ContactCard contact={contact} modules={others} corporation={corporation} />}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Cards({ children }: { children: ReactNode }) {
  return <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</ul>
}
