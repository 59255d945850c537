import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Badge } from './Badge'
import { Button } from './Button'

type Props = ComponentProps<typeof Button> & { hasDraft: boolean | undefined }

/** A button that opens a form, and shows whether the form has a draft, for example from before a reload. */
export function DraftButton({ hasDraft, children, ...button }: Props) {
  return (
    <Button {...button} title={hasDraft ? t`Continue your draft` : undefined}>
      {children}
      {hasDraft && (
        <span aria-hidden>
          <Badge kind="accent">{t`Draft`}</Badge>
        </span>
      )}
    </Button>
  )
}
