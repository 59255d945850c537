import { t } from '@lingui/core/macro'
import { useRevalidator } from 'react-router'
import { Button } from './Button'

/** A button that calls `onClick`, or by default runs the loaders of the page again. */
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
