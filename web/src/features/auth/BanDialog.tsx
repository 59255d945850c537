import { lazy, Suspense } from 'react'
import type { Ban } from '~/core'
import { isForbidden, problemOf } from '~/core/problem'

// Loaded lazily, because few users need the dialog, so that the login page loads faster.
const Banned = lazy(() => import('./Banned').then(module => ({ default: module.Banned })))

/** Returns the ban because of which the server rejected a sign-in; undefined for any other error. */
export function banOf(error: unknown): Ban | undefined {
  const ban = isForbidden(error) ? problemOf(error)?.data : undefined
  return ban?.isBanned ? ban : undefined
}

type Props = { ban: Ban | undefined; onClose: () => void }

/** The dialog that tells a banned user why and when they were banned. */
export function BanDialog({ ban, onClose }: Props) {
  if (!ban) return null
  return (
    <Suspense>
      <Banned ban={ban} onClose={onClose} />
    </Suspense>
  )
}
