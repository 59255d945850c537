import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { said } from '~/language'
import { cx } from './cx'
import type { Strength } from './strength'

const GRADES = [t`Very weak`, t`Weak`, t`Fair`, t`Good`, t`Strong`] as const
const COLOURS = ['bg-danger', 'bg-danger', 'bg-warning', 'bg-success', 'bg-success'] as const

/** It looks once nobody has typed for so long, so that a screen reader isn't talked over. */
const PAUSE_MS = 250

type Props = {
  password: string
  /** Words that are easy to guess here, such as the product's name; the same array at every turn. */
  known: string[]
}

/**
 * Says how hard a password is to guess. It advises and refuses nothing; what it judges by is fetched at the first key,
 * and where that can't be had nothing is said.
 */
export function PasswordStrength({ password, known }: Props) {
  const [strength, setStrength] = useState<Strength>()
  useEffect(() => {
    if (password === '') {
      setStrength(undefined)
      return
    }
    let live = true
    const look = async () => {
      const { strengthOf } = await import('./strength')
      if (live) setStrength(strengthOf(password, known))
    }
    const timer = setTimeout(() => look().catch(() => undefined), PAUSE_MS)
    return () => {
      live = false
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
              // The weakest lights one step too, so that it doesn't look like nothing.
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
            <span className="font-medium text-ink">{GRADES[strength.score]}.</span> {said(strength.advice)}
          </>
        )}
      </p>
    </div>
  )
}
