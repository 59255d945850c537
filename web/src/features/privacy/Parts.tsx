import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ErasedPart, KeptPart } from '~/core'
import type { ListsCore } from '~/core/lists'
import { countOf, fieldsText, keptText } from './names'

type Props = {
  erased: ErasedPart[]
  kept: KeptPart[]
  rules: ListsCore
  titles: { erased: string; kept: string }
}

/** Lists what an erasure erases, and what it keeps, with the reasons. */
export function Parts({ erased, kept, rules, titles }: Props) {
  return (
    <div className="grid gap-4">
      <Part title={titles.erased}>
        {erased.map(part => (
          <Line key={part.kind} name={countOf[part.kind](part.count)}>
            {fieldsText(part, rules)}
          </Line>
        ))}
      </Part>
      {kept.length > 0 && (
        <Part title={titles.kept}>
          {kept.map(part => (
            // A kind can be kept for several reasons.
            <Line key={`${part.kind} ${part.reason}`} name={countOf[part.kind](part.count)}>
              {keptText(part, rules)}
            </Line>
          ))}
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode[] }) {
  return (
    <section>
      <h3 className="text-sm font-semibold">{title}</h3>
      {children.length > 0 ? (
        <ul className="mt-1 grid gap-1.5">{children}</ul>
      ) : (
        <p className="mt-1 text-muted">{t`Nothing`}</p>
      )}
    </section>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <span className="font-medium">{name}</span>
      <span className="block text-muted">{children}</span>
    </li>
  )
}
