import { t } from '@lingui/core/macro'
import { Lock, LockOpen, Search } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { core } from '~/core'
import { textOf } from '~/language'
import { paths } from '~/lib/paths'
import { ExistingLink } from '~/records/ExistingNotice'
import { Button } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { TextField } from '~/ui/TextField'
import { FormSection } from './FormSection'
import { type CorporationFormOf, type CorporationValues, LABELS } from './form'
import type { Lookup } from './useLookup'

type FieldProps = Omit<
  ComponentProps<typeof TextField<CorporationValues>>,
  'control' | 'name' | 'label' | 'required'
>

type Props = {
  form: CorporationFormOf
  lookup: Lookup
  /** Further fields of the company. */
  children: ReactNode
}

/** The form fields of the company record. Looking up the organization number can fill them in. */
export function OrganizationFields({ form, lookup, children }: Props) {
  const { control } = form
  const { busy, locked, lookUp, notesOn, unlock } = lookup
  const number = useWatch({ control, name: 'organization_number' })
  const hint = core.organizationNumberHint(number)
  const field = (name: keyof typeof LABELS, props: FieldProps = {}) => (
    <TextField
      {...props}
      control={control}
      name={name}
      label={LABELS[name]}
      required
      autoComplete="off"
      readOnly={locked.has(name)}
      end={locked.has(name) && <Lock aria-hidden className="mx-3 size-4 text-muted" />}
    />
  )
  return (
    <>
      <FormSection
        title={t`Organization`}
        help={t`Look up the company by its number, or enter the details yourself.`}
        action={
          locked.size > 0 && (
            <Button
              onClick={() => {
                unlock()
                form.setFocus('organization_number')
              }}
            >
              <LockOpen aria-hidden className="size-4" />
              {t`Unlock fields`}
            </Button>
          )
        }
      >
        <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
          <div className="flex gap-2">
            {field('organization_number', {
              placeholder: '559360-9844',
              spellCheck: false,
              className: 'min-w-0 flex-1',
              onKeyDown: event => {
                if (event.key !== 'Enter' || locked.has('organization_number')) return
                event.preventDefault()
                if (!busy) void lookUp()
              },
            })}
            <Button className="mt-6.5" busy={busy} onClick={() => void lookUp()}>
              <Search aria-hidden className="size-4" />
              {t`Look up`}
            </Button>
          </div>
          {field('corp_name')}
          <div role="status" className="grid gap-2 empty:hidden md:col-span-2 [&:not(:empty)]:mb-2">
            {hint && <Notice kind="warning">{textOf(hint)}</Notice>}
            {notesOn(number).map(({ kind, text, corporation }) => (
              <Notice key={text} kind={kind}>
                {text}{' '}
                {corporation && (
                  <ExistingLink
                    name={corporation.corp_name}
                    path={paths.corporationUsers(corporation.corp_id)}
                  />
                )}
              </Notice>
            ))}
          </div>
          {field('street_address')}
          {field('registered_city')}
          {field('postal_code')}
          {field('city')}
        </div>
      </FormSection>
      <FormSection title={t`Company contact`}>
        <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
          {field('company_email', { type: 'email', inputMode: 'email', spellCheck: false })}
          {field('company_phone', { type: 'tel', inputMode: 'tel' })}
          {children}
        </div>
      </FormSection>
    </>
  )
}
