import { t } from '@lingui/core/macro'
import { Merge } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '~/ui/Button'

/** A link from a list to the page of its possible duplicates. */
export const DuplicatesLink = ({ to }: { to: string }) => (
  <Link to={to} className={buttonClass('secondary')}>
    <Merge aria-hidden className="size-4" />
    {t`Find duplicates`}
  </Link>
)
