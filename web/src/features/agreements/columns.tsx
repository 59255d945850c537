import { t } from '@lingui/core/macro'
import type { Agreement } from '~/core'
import { paths } from '~/lib/paths'
import { agreementNames } from '~/lib/words'
import { AgreementState } from '~/records/agreements/AgreementState'
import type { Column } from '~/records/columns'
import { fieldColumn } from '~/records/extraColumns'
import { RecordLink } from '~/records/RecordLink'

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
  fieldColumn('vehicles', t`Vehicles`),
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
  fieldColumn('to_pay', t`To pay`, 'ownMoney'),
  {
    ...fieldColumn<Agreement>('agreed_on', t`Agreed on`, 'date'),
    whenNarrow: 'notOnPhone',
    className: 'w-32',
  },
  // Without a header, it looks like the date before it.
  { ...fieldColumn<Agreement>('updated_at', t`Updated`, 'time'), whenNarrow: 'never', className: 'w-44' },
]
