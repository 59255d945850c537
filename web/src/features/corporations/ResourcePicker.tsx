import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useController } from 'react-hook-form'
import { type CorporationResource, core } from '~/core'
import { messageOf } from '~/core/problem'
import type { Outcome } from '~/lib/load'
import type { useRequest } from '~/lib/request'
import { localizeResource } from '~/lib/resources'
import { Button } from '~/ui/Button'
import { CheckboxInput } from '~/ui/CheckboxInput'
import { iconOf } from '~/ui/icons'
import { Notice } from '~/ui/Notice'
import { Loading } from '~/ui/Skeleton'
import { toast } from '~/ui/Toasts'
import { FormSection } from './FormSection'
import type { CorporationControl } from './form'

/** Requests the resources that corporations can be allowed to use. */
export const listResources = async () => (await core.listCorporationResources()).map(localizeResource)

/** Returns the titles of the resources with these ids, separated by commas. */
export function resourceTitles(resources: Outcome<CorporationResource[]> | undefined, ids: string[]): string {
  const known = resources?.ok ? resources.value : []
  return ids.map(id => known.find(({ resource_id }) => resource_id === id)?.title ?? id).join(', ')
}

type Props = {
  control: CorporationControl
  /** The corporation is being registered, so it has no roles yet. */
  isNew: boolean
  /** The state of the request for the resources to choose from. */
  request: ReturnType<typeof useRequest<CorporationResource[]>>
}

/** Cards with checkboxes to choose the modules that the corporation may use. */
export function ResourcePicker({ control, isNew, request: { outcome, retry } }: Props) {
  const { field, formState } = useController({ control, name: 'allowed_resources' })
  const failure = outcome?.ok === false && messageOf(outcome.error, t`Failed to load resources`)
  useEffect(() => {
    if (failure) toast.error(failure, t`Error`)
  }, [failure])
  const resources = outcome?.ok ? outcome.value : []
  const toggle = (id: string, isAllowed: boolean) => {
    const others = field.value.filter(other => other !== id)
    // Keeps the ids in the order of the cards, so that undoing a change makes the form unchanged again.
    const wanted = isAllowed ? [...others, id] : others
    field.onChange(resources.map(({ resource_id }) => resource_id).filter(other => wanted.includes(other)))
  }
  const before = isNew ? [] : (formState.defaultValues?.allowed_resources ?? [])
  const revoked = before.filter((id): id is string => id !== undefined && !field.value.includes(id))
  const modules = resourceTitles(outcome, revoked)
  return (
    <FormSection
      title={t`Resources`}
      help={t`Modules this corporation can use. Users, roles and history belong to every corporation.`}
    >
      {!outcome && (
        <Loading className="grid gap-2 sm:grid-cols-2">
          {[1, 2, 3, 4].map(card => (
            <div key={card} className="skeleton h-17 rounded-lg" />
          ))}
        </Loading>
      )}
      {failure && (
        <>
          <Notice kind="error">{failure}</Notice>
          <Button className="mt-2" onClick={retry}>
            {t`Try Again`}
          </Button>
        </>
      )}
      <div className="mb-2 grid gap-2 sm:grid-cols-2">
        {resources
          .filter(({ is_module }) => is_module)
          .map(resource => (
            <ResourceCard
              key={resource.resource_id}
              resource={resource}
              isAllowed={field.value.includes(resource.resource_id)}
              onChange={isAllowed => toggle(resource.resource_id, isAllowed)}
              onBlur={field.onBlur}
            />
          ))}
      </div>
      <div role="status">
        {revoked.length > 0 && (
          <Notice kind="warning" className="mb-2">
            {t`The roles of this corporation lose their permissions for: ${modules}. They don't come back if you select the modules again later.`}
          </Notice>
        )}
      </div>
    </FormSection>
  )
}

type CardProps = {
  resource: CorporationResource
  isAllowed: boolean
  onChange: (isAllowed: boolean) => void
  onBlur: () => void
}

function ResourceCard({ resource, isAllowed, onChange, onBlur }: CardProps) {
  const { resource_id, title, description, icon } = resource
  const Icon = iconOf(icon)
  const id = `resource-${resource_id}`
  return (
    <label
      htmlFor={id}
      className="flex cursor-pointer items-start gap-3 rounded-lg border border-line p-3 transition-colors select-none hover:bg-subtle has-checked:border-fill has-checked:bg-soft"
    >
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span id={`${id}-title`} className="font-medium">
          {title}
        </span>
        <span id={`${id}-description`} className="text-xs text-muted">
          {description}
        </span>
      </span>
      <CheckboxInput
        id={id}
        checked={isAllowed}
        onChange={event => onChange(event.target.checked)}
        onBlur={onBlur}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-description`}
      />
    </label>
  )
}
