import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { type ButtonKind, buttonClass } from '~/ui/Button'

/** The link to the dashboard on a page that the user can't use. */
export function HomeLink({ kind = 'primary' }: { kind?: ButtonKind }) {
  return (
    <Link to={paths.home} className={buttonClass(kind)}>
      {t`Go to the dashboard`}
    </Link>
  )
}
