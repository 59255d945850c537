import { Menu } from '@base-ui/react/menu'
import { Tooltip } from '@base-ui/react/tooltip'
import { type ComponentProps, type ReactElement, type ReactNode, useContext } from 'react'
import { cx } from './cx'
import { iconButtonClass } from './iconButtonClass'
import { DangerSeparator, InMenu } from './Menu'

/**
 * Keeps a tooltip closed when the focus comes back to its button, because it would cover what is above. From a
 * dialog or menu that has closed, or another window, the focus comes from no other element.
 */
function staysClosed(open: boolean, details: Tooltip.Root.ChangeEventDetails) {
  if (open && details.reason === 'trigger-focus' && !details.event.relatedTarget) details.cancel()
}

/** Shows a tooltip on hover and focus. The accessible name is the child's `aria-label`. */
export function WithTip({ tip, children }: { tip: string; children: ReactElement }) {
  return (
    <Tooltip.Root onOpenChange={staysClosed}>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-50">
          <Tooltip.Popup className="rounded-md bg-ink px-2 py-1 text-xs font-medium text-ground transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {tip}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

type Props = ComponentProps<'button'> & {
  label: string
  /** Tooltip text, if different from the label. */
  tip?: string
  icon: ReactNode
  /** The button deletes something. A line separates it from the buttons before it. */
  isDanger?: boolean
}

const apart =
  'relative not-first:ml-1.5 not-first:before:absolute not-first:before:-left-1 not-first:before:h-5 not-first:before:border-l not-first:before:border-line'

/** An icon-only button. Its label is the accessible name and the tooltip. In `MenuItems`, it is an item of the menu. */
export function IconButton({ label, tip = label, icon, isDanger = false, className, ...rest }: Props) {
  const isItem = useContext(InMenu)
  if (isItem) {
    const { onClick } = rest as { onClick?: ComponentProps<typeof Menu.Item>['onClick'] }
    return (
      <>
        {isDanger && <DangerSeparator />}
        <Menu.Item aria-label={label} className={cx('option', isDanger && 'text-danger')} onClick={onClick}>
          {icon}
          {tip}
        </Menu.Item>
      </>
    )
  }
  return (
    <WithTip tip={tip}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(iconButtonClass, isDanger && apart, className)}
      >
        {icon}
      </button>
    </WithTip>
  )
}
