import { t } from '@lingui/core/macro'
import { useRevalidator } from 'react-router'
import { Button } from './Button'

/** Runs the loaders of the page again, or `onClick`. */
export function RetryButton({ className, onClick }: { className?: string; onClick?: () => void }) {
  const { revalidate, state } = useRevalidator()
  return (
    <Button
      kind="primary"
      busy={!onClick && state === 'loading'}
      onClick={onClick ?? (() => void revalidate())}
      className={className}
    >
      {t`Try Again`}
    </Button>
  )
}
