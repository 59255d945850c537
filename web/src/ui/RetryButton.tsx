import { t } from '@lingui/core/macro'
import { useRevalidator } from 'react-router'
import { Button } from './Button'

/** Runs the loaders of the page again. */
export function RetryButton({ className }: { className?: string }) {
  const { revalidate, state } = useRevalidator()
  return (
    <Button kind="primary" busy={state === 'loading'} onClick={() => void revalidate()} className={className}>
      {t`Try Again`}
    </Button>
  )
}
