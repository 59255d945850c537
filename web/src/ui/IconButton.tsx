import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { cx } from './cx'
import { iconButtonClass } from './iconButtonClass'

/** Shows a tooltip on hover and focus. The accessible name is the child's `aria-label`. */
export function WithTip({ tip, children }: { tip: string; children: ReactElement }) {
  return (
    <Tooltip.Root>
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
}

/** An icon-only button. Its label is the accessible name and the tooltip. */
export function IconButton({ label, tip = label, icon, className, ...rest }: Props) {
  return (
    <WithTip tip={tip}>
      <button type="button" {...rest} aria-label={label} className={cx(iconButtonClass, className)}>
        {icon}
      </button>
    </WithTip>
  )
}
