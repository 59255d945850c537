import { t } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import type { ListsCore } from '~/core/lists'
import { FormModal } from '~/ui/FormModal'
import { CardFailed, CardLoading } from './CardState'
import type { FormDialog } from './useDialogs'
import { useLists } from './useFields'

/** The title of a form, and the label of the button that submits it. */
type Titles = { title: string; submit: string }

/** The props of a form whose rules have loaded: those of `FormDialog`, the rules, and the props of its `RecordForm`. */
export type Loaded<P extends Pick<FormDialog<object>, 'onClose'>> = P & {
  rules: ListsCore
  dialog: Titles & { wide: boolean; onClose: P['onClose'] }
}

/** Returns a form that shows a placeholder until the rules of `Form`, which are in the wasm package `lists`, have loaded. */
export const withRules = <P extends Pick<FormDialog<object>, 'record' | 'onClose'>>(
  Form: ComponentType<Loaded<P>>,
  titlesOf: (record?: object) => Titles,
  wide = false,
) =>
  function RulesForm(props: P) {
    const { rules, isFailed, retry } = useLists()
    const { record, onClose } = props
    const dialog = { ...titlesOf(record), wide, onClose }
    if (rules) return <Form {...props} rules={rules} dialog={dialog} />
    return (
      <FormModal
        {...dialog}
        ariaDisabled
        busy={false}
        dirty={false}
        onSubmit={event => event.preventDefault()}
        onClose={() => onClose(false)}
      >
        {isFailed ? (
          <CardFailed failed={t`Failed to load the form`} onRetry={retry} />
        ) : (
          <CardLoading lines={6} />
        )}
      </FormModal>
    )
  }
