import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { createContext, type ReactElement, type ReactNode, useRef, useState } from 'react'
import { useHistoryEntry } from './dialogHistory'
import { usePhone } from './usePhone'

type Props = {
  /** The button that opens the menu. Base UI adds its behaviour. */
  trigger: ReactElement
  align?: 'start' | 'center' | 'end'
  /** False if the button's target is larger than its box: Base UI would take a click beside the box as one outside. */
  modal?: boolean
  /** The menu is open when it is first rendered. */
  defaultOpen?: boolean
  children: ReactNode
}

/** Whether buttons with an icon are rendered as the items of a menu. */
export const InMenu = createContext(false)

/** Renders the icon buttons and links among its children as items of the menu that contains it. */
export const MenuItems = ({ children }: { children: ReactNode }) => <InMenu value={true}>{children}</InMenu>

/** The line between an item that deletes something and the items before it, if any. */
export const DangerSeparator = () => <Base.Separator className="my-1.5 border-t border-line first:hidden" />

/** A menu button. Its items are Base UI's `Menu.Item`, `Menu.LinkItem` etc. with the class `option`. */
export function Menu({ trigger, align = 'end', modal = true, defaultOpen, children }: Props) {
  // The menu is rendered here, inside the button's landmark, instead of at the end of the page.
  const place = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(defaultOpen ?? false)
  // On a phone, Back closes the menu, as it closes everything else that covers the page.
  const phone = usePhone()
  useHistoryEntry(isOpen && phone, () => setOpen(false))
  return (
    <Base.Root modal={modal} open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger render={trigger} />
      <div ref={place} className="absolute" />
      <Base.Portal container={place}>
        <Base.Positioner
          align={align}
          sideOffset={8}
          collisionPadding={8}
          positionMethod="fixed"
          className="z-35 outline-none"
        >
          <Base.Popup className="popup max-h-(--available-height) min-w-52 overflow-y-auto">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type ChoiceProps<V extends string> = {
  value: V
  choices: readonly { value: V; label: string; lang?: string; mark?: ReactNode }[]
  onChange: (value: V) => void
}

export function MenuChoice<V extends string>({ value, choices, onChange }: ChoiceProps<V>) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange}>
      {choices.map(({ value, label, lang, mark }) => (
        <Base.RadioItem key={value} value={value} lang={lang} closeOnClick className="option">
          {mark}
          <span className="flex-1">{label}</span>
          <Base.RadioItemIndicator>
            <Check aria-hidden className="size-4" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}
