import { t } from '@lingui/core/macro'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import { core, type TrashEntry } from '~/core'
import { count } from '~/lib/format'
import { useKeptState } from '~/lib/keptState'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { ListSection } from '~/records/ListSection'
import { NothingFound } from '~/records/RecordList'
import { RecordTable } from '~/records/RecordTable'
import { BarButton, SelectionBar } from '~/records/select/SelectionBar'
import { useSelection } from '~/records/select/useSelection'
import { TableSkeleton } from '~/records/TableSkeleton'
import { useLists } from '~/records/useFields'
import { useRecords } from '~/records/useRecords'
import { Button } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { Select } from '~/ui/Select'
import { State } from '~/ui/State'
import { columns } from './columns'
import { DeletePermanentlyDialog } from './DeletePermanentlyDialog'
import { kindOf, nameOf } from './kinds'
import { PAGE_SIZE, type TrashQuery, trashAddress, type trashLoader } from './loader'
import { keyOf } from './take'
import { useTaking } from './useTaking'

/** The page with the deleted records that the user may restore. */
export function TrashPage() {
  useTitle(t`Trash`)
  const { profile } = useSession()
  const { rules } = useLists()
  const trash = useRecords({
    route: paths.trash,
    ...useLoaderData<Awaited<ReturnType<typeof trashLoader>>>(),
    address: trashAddress,
  })
  const { query, loaded, section, afterDeletion } = trash
  const list = loaded.outcome?.ok ? loaded.outcome.value : undefined
  const selection = useSelection(trash.addressOf(1))
  const { ids: selected } = selection
  const { restoring, restoreOne, restoreSelected, finish } = useTaking({ selection, reload: afterDeletion })
  const [isDeleting, setDeleting] = useState(false)
  const number = count(selected.length)
  const isKept = useIsKept(list?.data)
  const deletable = selected.filter(key => !isKept(key))
  const names = list?.data.filter(entry => deletable.includes(keyOf(entry))).map(nameOf)
  return (
    <Page title={t`Trash`} subtitle={t`Deleted records can be restored until they are permanently deleted.`}>
      <ListSection
        records={trash}
        live={({ action }) => rules?.changesTrash(action) ?? true}
        label={t`Deleted records`}
        noun={t`records`}
        singularNoun={t`record`}
        pageSize={PAGE_SIZE}
        skeleton={<TableSkeleton {...table} rows={8} isSelectable />}
        loadFailed={t`Failed to load the trash`}
        forbidden={t`You don't have access to these records`}
        empty={<Empty query={query} />}
        rows={(rows, stale) => (
          <RecordTable
            label={t`Deleted records`}
            rows={rows}
            idOf={keyOf}
            stale={stale}
            selecting={{
              selected: selection.selection.ids,
              isAll: false,
              isActive: true,
              keepsActions: true,
              onSelect: selection.select,
              nameOf,
            }}
            {...table}
            actions={entry => {
              const name = nameOf(entry)
              return (
                <Button
                  kind="ghost"
                  aria-label={t`Restore ${name}`}
                  busy={restoring.has(keyOf(entry))}
                  // While the list is reloading, the button is disabled, because the record may be restored already.
                  ariaDisabled={stale}
                  className="-mr-2 h-9 px-3 text-ink max-md:mr-0 max-md:w-touch max-md:px-0"
                  onClick={() => restoreOne(entry)}
                >
                  <ArchiveRestore aria-hidden className="size-4" />
                  <span className="max-md:hidden">{t`Restore`}</span>
                </Button>
              )
            }}
          />
        )}
      >
        <SearchBox label={t`Search by name`} {...trash.search}>
          <ResourceFilter query={query} />
        </SearchBox>
      </ListSection>
      <SelectionBar
        // The rows always show checkboxes, so the bar isn't needed before one is ticked.
        state={{ ...selection, isSelecting: false }}
        total={list?.totalItems ?? 0}
        onClear={() => {
          selection.clear()
          // Moves the focus to the list, because the focused button disappears.
          section.current?.focus()
        }}
      >
        <BarButton busy={restoring.size > 0} onClick={restoreSelected}>
          <ArchiveRestore aria-hidden className="size-4" />
          {t`Restore ${number}`}
        </BarButton>
        {core.isAdministrator(profile.type) && (
          <BarButton isDanger onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden className="size-4" />
            {t`Delete permanently…`}
          </BarButton>
        )}
      </SelectionBar>
      {isDeleting && (
        <DeletePermanentlyDialog
          keys={deletable}
          name={deletable.length === 1 ? names?.[0] : undefined}
          keptCount={selected.length - deletable.length}
          onClose={() => setDeleting(false)}
          onTaken={finish}
        />
      )}
    </Page>
  )
}

const table = { columns, actionsWidth: '10rem' }

/**
 * Returns a function that returns whether the record with a key can't be deleted permanently. It knows the records of the
 * pages that were shown, because the selection can contain records of several pages.
 */
function useIsKept(shown: TrashEntry[] | undefined) {
  const [known, setKnown] = useKeptState<ReadonlyMap<string, boolean>>('kept records', new Map())
  useEffect(() => {
    const entries = (shown ?? []).map(entry => [keyOf(entry), entry.is_kept] as const)
    setKnown(before => new Map([...before, ...entries]))
  }, [shown, setKnown])
  return (key: string) => known.get(key) ?? false
}

/** The select's value for "Everything", because a select can't have an empty value. */
const ALL = 'all'

/** The select for the resource whose records are shown. Hidden if the user may restore records of only one resource. */
function ResourceFilter({ query }: { query: TrashQuery }) {
  const { resources } = useSession()
  const navigate = useNavigate()
  const visible = core.trashResources(resources)
  if (visible.length < 2) return null
  return (
    <Select
      label={t`Kind of record`}
      className="sm:w-44"
      value={query.resource || ALL}
      choices={[
        { value: ALL, label: t`Everything` },
        ...visible.map(value => ({ value, label: kindOf(value).many })),
      ]}
      onChange={value =>
        void navigate(trashAddress({ ...query, page: 1, resource: value === ALL ? '' : value }))
      }
    />
  )
}

function Empty({ query }: { query: TrashQuery }) {
  const { search, resource } = query
  if (search || resource) {
    return (
      <NothingFound
        title={t`Nothing found`}
        clear={search ? t`Clear search` : t`Show everything`}
        to={trashAddress({ ...query, page: 1, search: '', resource: search ? resource : '' })}
      >
        {search
          ? t`No deleted record has a name that contains “${search}”.`
          : t`The trash contains nothing of this kind.`}
      </NothingFound>
    )
  }
  return (
    <State icon={<Trash2 className="size-6" />} title={t`The trash is empty.`}>
      {t`Records appear here when they are deleted.`}
    </State>
  )
}
