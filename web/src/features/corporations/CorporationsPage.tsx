import { t } from '@lingui/core/macro'
import { Building, Plus, Users } from 'lucide-react'
import { useEffect } from 'react'
import { core } from '~/core'
import { isForbidden, messageOf } from '~/core/problem'
import { paths } from '~/lib/paths'
import { useReload, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { EmptyList } from '~/records/EmptyList'
import { NothingFound, RecordList } from '~/records/RecordList'
import { DeleteButton, EditButton, ViewLink, widthOfButtons } from '~/records/RowActions'
import { useListRecords } from '~/records/useRecords'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { toast } from '~/ui/Toasts'
import { CorporationForm } from './CorporationForm'
import { columns } from './columns'
import { DeleteCorporationDialog } from './DeleteCorporationDialog'
import { kind } from './kind'

/** The page with the list of all corporations, for Super Admins. */
export function CorporationsPage() {
  useTitle(t`Corporations`)
  const reload = useReload()
  const { profile } = useSession()
  const corporations = useListRecords(
    kind,
    // If the user's own corporation was edited, the session is reloaded, which contains its name and resources.
    corporation => reload(corporation?.corp_id === profile.corp.corp_id),
  )
  const { query, may, hasDraft, create, form, deletion } = corporations
  const { search } = query
  const { outcome } = corporations.loaded
  useEffect(() => {
    if (outcome?.ok !== false || isForbidden(outcome.error)) return
    toast.error(messageOf(outcome.error, t`Failed to load corporations`), t`Error`)
  }, [outcome])
  const plus = <Plus aria-hidden className="size-4" />
  return (
    <Page
      title={t`Corporations`}
      subtitle={t`Manage your corporations`}
      actions={
        may.can_create && (
          <NewButton label={t`Add corporation`} icon={plus} hasDraft={hasDraft} onClick={create} />
        )
      }
    >
      <RecordList
        list="corporations"
        records={corporations}
        search={{ label: t`Search corporations` }}
        label={t`Corporations`}
        noun={t({ message: 'items', context: 'corporations' })}
        singularNoun={t({ message: 'item', context: 'corporations' })}
        pageSize={core.recordPageSize('corporations')}
        loadFailed={t`Failed to load corporations`}
        forbidden={t`You don't have access to corporations`}
        empty={
          search ? (
            <NothingFound title={t`No corporations found`} to={corporations.addressWith({ search: '' })}>
              {t`No name, number, city, contact or email matches “${search}”.`}
            </NothingFound>
          ) : (
            <EmptyList
              icon={Building}
              title={t`No corporations found`}
              button={t`Add corporation`}
              buttonIcon={plus}
              onCreate={may.can_create && create}
            />
          )
        }
        columns={columns}
        idOf={corporation => corporation.corp_id}
        actionsWidth={widthOfButtons(3)}
        hasReadActions
        nameOf={({ corp_name }) => corp_name}
        actions={corporation => (
          <>
            <ViewLink
              to={paths.corporationUsers(corporation.corp_id)}
              label={t`View users of ${corporation.corp_name}`}
              tip={t`View users`}
              icon={Users}
            />
            <EditButton
              records={corporations}
              record={corporation}
              label={t`Edit ${corporation.corp_name}`}
            />
            {!corporation.is_platform && (
              <DeleteButton
                records={corporations}
                record={corporation}
                label={t`Delete ${corporation.corp_name}`}
              />
            )}
          </>
        )}
      />
      {form && <CorporationForm {...form} />}
      {deletion && <DeleteCorporationDialog {...deletion} />}
    </Page>
  )
}
