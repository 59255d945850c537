import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ListsCore } from '~/core/lists'
import { FormModal } from '~/ui/FormModal'
import { CardFailed, CardLoading } from './CardState'
import type { Kind } from './kind'
import type { FormDialog } from './useDialogs'
import { useLists } from './useFields'
import { formTitles } from './useKindForm'

type Props = {
  kind: Pick<Kind, 'words' | 'create'>
  /** The props of the form. */
  dialog: Pick<FormDialog<object, never>, 'record' | 'onClose'>
  children: (rules: ListsCore) => ReactNode
}

/** A wide form whose rules are in the wasm module of lists. */
export function RulesForm({ kind, dialog, children }: Props) {
  const { rules, isFailed, retry } = useLists()
  if (rules) return children(rules)
  return (
    <FormModal
      {...formTitles(kind, dialog.record)}
      wide
      ariaDisabled
      busy={false}
      dirty={false}
      onSubmit={event => event.preventDefault()}
      onClose={() => dialog.onClose(false)}
    >
      {isFailed ? (
        <CardFailed error={undefined} failed={t`Failed to load the form`} onRetry={retry} />
      ) : (
        <CardLoading lines={6} />
      )}
    </FormModal>
  )
}
