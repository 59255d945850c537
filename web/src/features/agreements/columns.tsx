import { t } from '@lingui/core/macro'
import type { Agreement } from '~/core'
import { paths } from '~/lib/paths'
import { agreementNames } from '~/lib/words'
import { AgreementState } from '~/records/agreements/AgreementState'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { fieldColumn } from '~/records/extraColumns'
import { RecordLink } from '~/records/RecordLink'
import { withWholePlates } from '~/records/vehicles/plates'

export const columns: Column<Agreement>[] = [
  {
    id: 'number',
    header: t`Number`,
    className: 'w-28',
    cell: ({ agreement_id, number }) => (
      <RecordLink
        to={paths.agreement(agreement_id)}
        title={number}
        className="block truncate rounded font-medium tabular-nums hover:underline"
      >
        {number}
      </RecordLink>
    ),
  },
  fieldColumn('customer_name', t`Customer`),
  {
    ...fieldColumn<Agreement>('vehicles', t`Vehicles`),
    cell: ({ vehicles }) => text(withWholePlates(vehicles)),
  },
  {
    id: 'type',
    header: t`Type`,
    // The number begins with it.
    whenNarrow: 'notOnPhone',
    className: 'w-28',
    cell: ({ type }) => agreementNames[type],
  },
  {
    id: 'state',
    header: t({ message: 'State', context: 'agreement' }),
    whenNarrow: 'first',
    className: 'w-30',
    cell: ({ state }) => <AgreementState state={state} />,
  },
  { ...fieldColumn<Agreement>('to_pay', t`To pay`, 'ownMoney'), whenNarrow: 'end' },
  {
    ...fieldColumn<Agreement>('agreed_on', t`Agreed on`, 'date'),
    whenNarrow: 'notOnPhone',
    className: 'w-32',
  },
  // Without a header, it looks like the date before it.
  { ...fieldColumn<Agreement>('updated_at', t`Updated`, 'time'), whenNarrow: 'never', className: 'w-44' },
]
