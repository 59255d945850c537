import { t } from '@lingui/core/macro'
import type { Agreement } from '~/core'
import { agreementNames } from '~/lib/words'
import { AgreementState } from '~/records/agreements/AgreementState'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { fieldColumn, nameColumn } from '~/records/extraColumns'
import { withWholePlates } from '~/records/vehicles/plates'
import { kind } from './kind'

export const columns: Column<Agreement>[] = [
  { ...nameColumn(kind, 'number', t`Number`), width: 112 },
  // The vehicles have the remaining space, because their plates are at the end.
  { ...fieldColumn<Agreement>('customer_name', t`Customer`), width: 172 },
  {
    ...fieldColumn<Agreement>('vehicles', t`Vehicles`),
    cell: ({ vehicles }) => text(withWholePlates(vehicles)),
  },
  {
    id: 'type',
    header: t`Type`,
    // The agreement's number already shows the type (SA-, PA-, AA-).
    isOnlyWide: true,
    whenNarrow: 'notOnPhone',
    width: 112,
    cell: ({ type }) => agreementNames[type],
  },
  {
    id: 'state',
    header: t({ message: 'State', context: 'agreement' }),
    whenNarrow: 'first',
    width: 120,
    cell: ({ state }) => <AgreementState state={state} />,
  },
  { ...fieldColumn<Agreement>('to_pay', t`To pay`, 'ownMoney'), whenNarrow: 'end', width: 128 },
  {
    ...fieldColumn<Agreement>('agreed_on', t`Agreed on`, 'date'),
    whenNarrow: 'notOnPhone',
    width: 128,
  },
  // Without a header, it looks like the date before it.
  {
    ...fieldColumn<Agreement>('updated_at', t`Updated`, 'time'),
    isOnlyWide: true,
    whenNarrow: 'never',
    width: 192,
  },
]
