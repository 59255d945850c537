import { t } from '@lingui/core/macro'
import { Merge } from 'lucide-react'
import { ActionLink } from '~/ui/MoreMenu'

/** A link from a list to the page of its possible duplicates. */
export const DuplicatesLink = ({ to }: { to: string }) => (
  <ActionLink to={to} icon={Merge}>
    {t`Find duplicates`}
  </ActionLink>
)
