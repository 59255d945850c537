import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { saveAccentColor, setAccentColor, themeColors, useAccentColor } from '~/lib/theme'
import { Swatch } from '~/ui/Swatch'
import { toast } from '~/ui/Toasts'

/** The section of a menu that sets the user's accent colour. The chosen colour is applied even if it can't be saved. */
export function AccentMenu() {
  const current = useAccentColor() || core.defaultColor()
  const choose = async (color: string) => {
    void setAccentColor(color)
    try {
      await saveAccentColor({ color, scope: 'user' })
    } catch {
      toast.error(t`Failed to update theme color`)
    }
  }
  return (
    <Base.Group className="mt-1.5 border-t border-line pt-1.5">
      <Base.GroupLabel className="px-2.5 py-1 text-xs text-muted">{t`Theme colour`}</Base.GroupLabel>
      <Base.RadioGroup
        value={current}
        onValueChange={(color: string) => void choose(color)}
        className="grid grid-cols-5 px-1"
      >
        {themeColors().map(({ name, color }) => (
          <Base.RadioItem
            key={color}
            value={color}
            closeOnClick
            aria-label={name}
            title={name}
            className="flex size-10 cursor-pointer items-center justify-center rounded-lg outline-none data-highlighted:bg-subtle touch:size-touch"
          >
            <Swatch color={color} isChosen={color === current} />
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}
