import { Popover as Base } from '@base-ui/react/popover'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { cx } from './cx'

type Props = {
  /** The accessible name of the popover. */
  label: string
  /** The button that opens the popover. Base UI adds its behaviour. */
  trigger: ReactElement
  open: boolean
  onOpenChange: (open: boolean) => void
  align?: 'start' | 'end'
  className: string
  /** Remounted each time the popover opens. */
  children: ReactNode
}

/** A button with a small dialog beside it, which closes on Escape and on a click elsewhere. */
export function Popover({ label, trigger, open, onOpenChange, align = 'start', className, children }: Props) {
  // The popover is rendered here, inside the button's landmark, instead of at the end of the page.
  const place = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <div ref={place} className="absolute" />
      <Base.Portal container={place}>
        <Base.Positioner
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // If its content is higher than the space below and above the button, it scrolls; it never moves beside it.
          collisionAvoidance={{ fallbackAxisSide: 'none' }}
          positionMethod="fixed"
          className="z-30 outline-none"
        >
          <Base.Popup
            aria-label={label}
            className={cx(
              'popup max-h-(--available-height) max-w-(--available-width) overflow-y-auto',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
