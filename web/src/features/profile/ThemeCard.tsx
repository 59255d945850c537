import { t } from '@lingui/core/macro'
import { useId } from 'react'
import type { Theme } from '~/core'
import { themeColors } from '~/lib/theme'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Checkbox } from '~/ui/Checkbox'
import { Swatch } from '~/ui/Swatch'
import { CustomColor } from './CustomColor'
import { useTheme } from './useTheme'

/** The card that sets the accent colour of the user or of the whole corporation. The colour is applied immediately. */
export function ThemeCard({ initial, corporation }: { initial: Theme; corporation: string }) {
  const { color, choose, preview, forAll, setForAll, hasColor, reset } = useTheme(initial)
  const name = useId()
  return (
    <Card
      title={t`Theme Customization`}
      subtitle={t`Used for buttons, links and highlights. Text stays readable in light and dark mode.`}
    >
      <fieldset>
        <legend className="sr-only">
          {forAll ? t`Colour for everyone in ${corporation}` : t`Colour for you`}
        </legend>
        <div className="pair -mx-2 gap-x-2 sm:grid-cols-3 lg:grid-cols-2 xl:grid-cols-3">
          {themeColors().map(named => (
            <label
              key={named.color}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-2 has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent-text hover:bg-subtle"
            >
              <input
                type="radio"
                name={name}
                className="peer sr-only"
                checked={color === named.color}
                onChange={() => choose(named.color)}
              />
              <Swatch color={named.color} isChosen={color === named.color} />
              {named.name}
            </label>
          ))}
        </div>
      </fieldset>
      <CustomColor color={color ?? ''} onTry={preview} onChoose={choose} />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Checkbox
          label={t`For everyone in ${corporation}`}
          checked={forAll}
          onChange={event => setForAll(event.target.checked)}
        />
        <Button ariaDisabled={!hasColor} onClick={reset}>{t`Use the default colour`}</Button>
      </div>
    </Card>
  )
}
