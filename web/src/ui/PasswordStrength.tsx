import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { cx } from './cx'
import type { Strength } from './strength'

const GRADES = [t`Very weak`, t`Weak`, t`Fair`, t`Good`, t`Strong`] as const
const COLOURS = ['bg-danger', 'bg-danger', 'bg-warning', 'bg-success', 'bg-success'] as const

/** Time after the last key press until the strength is shown, so that screen readers aren't interrupted. */
const DELAY_MS = 250

type Props = {
  password: string
  /** Easily guessed words, for example the product's name. Must be a stable array. */
  known: string[]
}

/**
 * Shows how strong a password is, as advice: a weak password isn't rejected. The estimator is loaded when the first
 * character is typed; if that fails, no strength is shown.
 */
export function PasswordStrength({ password, known }: Props) {
  const [strength, setStrength] = useState<Strength>()
  useEffect(() => {
    if (password === '') {
      setStrength(undefined)
      return
    }
    let isMounted = true
    const estimate = async () => {
      const { estimateStrength } = await import('./strength')
      if (isMounted) setStrength(estimateStrength(password, known))
    }
    const timer = setTimeout(() => estimate().catch(() => undefined), DELAY_MS)
    return () => {
      isMounted = false
      clearTimeout(timer)
    }
  }, [password, known])

  return (
    <div className="grid gap-1.5">
      <div aria-hidden className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map(step => (
          <span
            key={step}
            className={cx(
              'h-1 rounded-full transition-colors',
              // Even the weakest score fills one segment, so that the meter doesn't look empty.
              strength && Math.max(strength.score, 1) >= step
                ? cx('meter', COLOURS[strength.score])
                : 'bg-line',
            )}
          />
        ))}
      </div>
      <p aria-live="polite" className="min-h-8 text-xs leading-4 text-muted">
        {strength && (
          <>
            <span className="sr-only">{t`Password strength:`} </span>
            <span className="font-medium text-ink">{GRADES[strength.score]}.</span> {strength.advice}
          </>
        )}
      </p>
    </div>
  )
}
