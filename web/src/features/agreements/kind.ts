import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { agreementStateNames } from '~/lib/words'
import { firstPage, type Kind, toResults } from '~/records/kind'

export const kind: Kind = {
  resource: 'agreements',
  title: t`Agreements`,
  route: paths.agreements,
  icon: 'handshake',
  create: { title: t`New agreement`, also: t`add create sale purchase deal` },
  find: async (text, signal) =>
    toResults(
      await core.listRecords('agreements', firstPage(text), signal),
      ({ agreement_id, number, customer_name, vehicles, state }) => ({
        id: agreement_id,
        title: [number, customer_name].filter(Boolean).join(' '),
        note: [agreementStateNames[state], vehicles].filter(Boolean).join(' · '),
        to: paths.agreement(agreement_id),
      }),
    ),
}
