import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ListsCore } from '~/core/lists'
import { FormModal } from '~/ui/FormModal'
import { CardFailed, CardLoading } from './CardState'
import { useLists } from './useFields'

type Props = {
  title: string
  /** The label of the button that submits the form. */
  submit: string
  wide?: boolean
  onClose: (isStale: boolean) => void
  children: (rules: ListsCore) => ReactNode
}

/** A form whose rules are in the wasm module of lists. */
export function RulesForm({ title, submit, wide, onClose, children }: Props) {
  const { rules, isFailed, retry } = useLists()
  if (rules) return children(rules)
  return (
    <FormModal
      title={title}
      submit={submit}
      wide={wide}
      ariaDisabled
      busy={false}
      dirty={false}
      onSubmit={event => event.preventDefault()}
      onClose={() => onClose(false)}
    >
      {isFailed ? (
        <CardFailed error={undefined} failed={t`Failed to load the form`} onRetry={retry} />
      ) : (
        <CardLoading lines={6} />
      )}
    </FormModal>
  )
}
