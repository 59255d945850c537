import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '~/ui/Button'
import { State } from '~/ui/State'

type Props = {
  icon: LucideIcon
  title: string
  /** Label of the button that creates a record. */
  button: string
  buttonIcon?: ReactNode
  /** Opens the form of a new record. Falsy for users who may not create records: then there is no button. */
  onCreate: (() => void) | false | undefined
  /** Other ways to create records, beside the button. */
  others?: ReactNode
  /** A hint below the title. */
  children?: ReactNode
}

/** Shown in place of a list that has no records. Has a button to create the first one. */
export function EmptyList({ icon: Icon, title, button, buttonIcon, onCreate, others, children }: Props) {
  return (
    <State
      icon={<Icon className="size-6" />}
      title={title}
      action={
        onCreate && (
          <>
            <Button kind="primary" onClick={onCreate}>
              {buttonIcon}
              {button}
            </Button>
            {others}
          </>
        )
      }
    >
      {children}
    </State>
  )
}
