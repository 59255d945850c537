import { t } from '@lingui/core/macro'
import type { ContactSummary } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { avatarOf, text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { nameColumn } from '~/records/extraColumns'
import { kind } from './kind'

export const columns: Column<ContactSummary>[] = [
  {
    ...nameColumn(kind, 'name', t`Name`),
    picture: avatarOf(kind.nameOf),
  },
  {
    id: 'email',
    header: t`Email`,
    cell: ({ email }) => text(email),
    reach: ({ email }) => email && mailUrl(email),
  },
  {
    id: 'phone',
    header: t`Phone`,
    width: 176,
    cell: ({ phone }) => text(phone, 'tabular-nums'),
    reach: ({ phone }) => phone && telUrl(phone),
  },
]
