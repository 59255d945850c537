import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { IconButton } from './IconButton'
import { TextField } from './TextField'

type Props<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  help?: string
  /** A password is asked for because it is needed, save where a blank one keeps what there is. */
  required?: boolean
  autoComplete: 'current-password' | 'new-password'
}

/** A password, hidden until its button shows it. */
export function PasswordField<T extends FieldValues>({ required = true, ...props }: Props<T>) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      required={required}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      end={
        <IconButton
          label={shown ? t`Hide characters` : t`Show characters`}
          icon={
            shown ? <EyeOff aria-hidden className="size-4.5" /> : <Eye aria-hidden className="size-4.5" />
          }
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
