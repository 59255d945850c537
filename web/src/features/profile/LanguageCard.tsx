import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { language, languages } from '~/language'
import { focusAfterSwitch, switchLanguage } from '~/lib/language'
import { useSession } from '~/lib/session'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'

const focusAfterChange = focusAfterSwitch('settings')

/** The card that sets the app's language on all devices of the user. Mails and files stay in English. */
export function LanguageCard() {
  const { profile } = useSession()
  const [chosen, setChosen] = useState(language)
  const name = useId()
  return (
    <Card title={t`Language`} subtitle={t`The language of the app. Emails are in English.`}>
      <fieldset>
        <legend className="sr-only">{t`Language`}</legend>
        <div className="pair -mx-2 gap-x-2">
          {languages.map(({ value, label }) => (
            <label
              key={value}
              htmlFor={`${name}-${value}`}
              lang={value}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-2 hover:bg-subtle has-checked:font-medium"
            >
              <input
                id={`${name}-${value}`}
                type="radio"
                name={name}
                checked={value === chosen}
                onChange={() => setChosen(value)}
                className="size-4.5 shrink-0 cursor-pointer accent-fill"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {/* The page reloads, which an arrow key that moves between the choices must not cause (WCAG 3.2.2). */}
      <Button
        ref={focusAfterChange}
        ariaDisabled={chosen === language}
        className="mt-2"
        onClick={() => switchLanguage(chosen, 'settings', profile.id)}
      >
        {t`Change language`}
      </Button>
    </Card>
  )
}
