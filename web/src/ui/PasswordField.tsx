import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { cx } from './cx'
import type { FieldProps } from './FieldFrame'
import { iconButtonClass } from './iconButtonClass'
import { TextField } from './TextField'

type Props<T extends FieldValues> = FieldProps<T> & {
  autoComplete: 'current-password' | 'new-password'
}

/** A password field with a show/hide button. Set `required` to false if an empty input keeps the current password. */
export function PasswordField<T extends FieldValues>({ required = true, ...props }: Props<T>) {
  const [shown, setShown] = useState(false)
  const action = shown ? t`Hide password` : t`Show password`
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      {...props}
      required={required}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      end={
        // A tooltip of the browser, so that the sign-in page needn't load our tooltip component.
        <button
          type="button"
          aria-label={action}
          title={action}
          aria-pressed={shown}
          // A disabled fieldset disables the button too. A password that can't be typed needs no button to show it.
          className={cx(iconButtonClass, 'disabled:hidden')}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden className="size-4.5" />
        </button>
      }
    />
  )
}
