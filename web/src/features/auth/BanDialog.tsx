import { lazy, Suspense } from 'react'
import type { Ban } from '~/core'

// Loaded lazily, so that the login page needn't load the dialog's code.
const Banned = lazy(() => import('./Banned').then(module => ({ default: module.Banned })))

type Props = { ban: Ban | undefined; onClose: () => void }

/** Tells a banned user why and when they were banned. */
export function BanDialog({ ban, onClose }: Props) {
  if (!ban) return null
  return (
    <Suspense>
      <Banned ban={ban} onClose={onClose} />
    </Suspense>
  )
}
