import { lazy, Suspense } from 'react'
import type { Ban } from '~/core'

// Fetched when somebody is banned: without it the sign-in needs nothing of what dialogs are made of.
const Banned = lazy(() => import('./Banned').then(module => ({ default: module.Banned })))

type Props = { ban: Ban | undefined; onClose: () => void }

/** Says to a banned person that they are, why, and since when. */
export function BanDialog({ ban, onClose }: Props) {
  if (!ban) return null
  return (
    <Suspense>
      <Banned ban={ban} onClose={onClose} />
    </Suspense>
  )
}
