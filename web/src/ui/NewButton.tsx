import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { buttonClass } from './Button'
import { consumeCreateRequest } from './createRequest'
import { DraftButton } from './DraftButton'
import { KeyHint } from './Key'
import { useShortcut } from './shortcuts'

type Props = {
  label: string
  /** Description of the button's shortcut; by default the label. */
  does?: string
  icon?: ReactNode
  hasDraft: boolean
  onClick: () => void
}

/** A page's main create button. The key `n` and the command palette trigger it too. */
export function NewButton({ label, does = label, icon, hasDraft, onClick }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const { state } = useLocation()
  const keys = useShortcut('n', does, () => button.current?.click())
  useEffect(() => {
    if (consumeCreateRequest(state)) button.current?.click()
  }, [state])
  return (
    <DraftButton ref={button} hasDraft={hasDraft} kind="primary" aria-keyshortcuts={keys} onClick={onClick}>
      {icon}
      {label}
      {keys && <KeyHint keys="N" />}
    </DraftButton>
  )
}

/** Like `NewButton`, as a link to another page. */
export function NewLink({ label, icon, to }: { label: string; icon: ReactNode; to: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  const keys = useShortcut('n', label, () => link.current?.click())
  return (
    <Link ref={link} to={to} aria-keyshortcuts={keys} className={buttonClass('primary')}>
      {icon}
      {label}
      {keys && <KeyHint keys="N" />}
    </Link>
  )
}
