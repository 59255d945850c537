import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'

type Props = {
  /** The button that opens it; Base UI gives it its behaviour. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

/** A menu that opens from a button. Its parts are `Menu.Item`, `Menu.LinkItem` and so on of Base UI, in class `option`. */
export function Menu({ trigger, align = 'end', children }: Props) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={8} className="z-50 outline-none">
          <Base.Popup className="popup max-h-(--available-height) min-w-52 overflow-y-auto">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
