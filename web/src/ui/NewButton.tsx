import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { Button, buttonClass } from './Button'
import { isToBegin } from './begin'
import { KeyHint } from './Key'
import { useShortcut } from './shortcuts'

type Props = {
  label: string
  /** What the key is said to do, where the label has more than words. */
  does?: string
  icon?: ReactNode
}

/** What a screen is there to begin: by this button, by the key `n`, and by the palette from anywhere else. */
export function NewButton({ label, does = label, icon, onClick }: Props & { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const { state } = useLocation()
  const keys = useShortcut('n', does, () => button.current?.click())
  useEffect(() => {
    if (isToBegin(state)) button.current?.click()
  }, [state])
  return (
    <Button ref={button} kind="primary" aria-keyshortcuts={keys} onClick={onClick}>
      {icon}
      {label}
      {keys && <KeyHint keys="N" />}
    </Button>
  )
}

/** The same where it begins on another screen. */
export function NewLink({ label, does = label, icon, to }: Props & { to: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  const keys = useShortcut('n', does, () => link.current?.click())
  return (
    <Link ref={link} to={to} aria-keyshortcuts={keys} className={buttonClass('primary')}>
      {icon}
      {label}
      {keys && <KeyHint keys="N" />}
    </Link>
  )
}
