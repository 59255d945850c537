import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import { type Corporation, core } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { messageOf, problemOf } from '~/lib/problem'
import { listAddress } from '~/lib/query'
import { usePermissions, useRenewSession, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { Button } from '~/ui/Button'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { toast } from '~/ui/Toasts'
import { CorporationForm } from './CorporationForm'
import { CorporationList } from './CorporationList'
import { DeleteDialog } from './DeleteDialog'
import type { corporationsLoader } from './loader'

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; corporation: Corporation }

/** Every corporation of the platform. */
export function CorporationsPage() {
  useTitle(t`Corporations`)
  const { query, coming } = useLoaderData<typeof corporationsLoader>()
  const list = useRef<HTMLElement>(null)
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(coming),
    page: query.page,
    pagesOf: ({ totalPages }) => totalPages,
    to: page => listAddress(paths.corporations, { ...query, page }),
    list,
  })
  const { outcome } = shown
  const { revalidate } = useRevalidator()
  const renewSession = useRenewSession()
  const { profile } = useSession()
  const { can_create, can_update, can_delete } = usePermissions(paths.corporations)
  const [open, setOpen] = useState<Open>()
  const add = useCallback(() => setOpen({ kind: 'add' }), [])
  const edit = useCallback((corporation: Corporation) => setOpen({ kind: 'edit', corporation }), [])
  const remove = useCallback((corporation: Corporation) => setOpen({ kind: 'delete', corporation }), [])
  const close = () => setOpen(undefined)
  const done = () => {
    close()
    // The name of one's own stands in the top bar, and what it may use in the menu.
    const isOwn = open?.kind === 'edit' && open.corporation.corp_id === profile.corp.corp_id
    void (isOwn ? renewSession() : revalidate())
  }
  useEffect(() => {
    if (outcome?.ok !== false || problemOf(outcome.error)?.status === 403) return
    toast.error(messageOf(outcome.error, core.texts().corporations.loadFailed), t`Error`)
  }, [outcome])
  const addButton = can_create && (
    <Button kind="primary" onClick={add}>
      <Plus aria-hidden className="size-4" />
      {t`Add Corporation`}
    </Button>
  )
  return (
    <Page
      title={t`Corporations`}
      subtitle={t`Manage your corporations`}
      actions={
        can_create && (
          <NewButton
            label={t`Add Corporation`}
            icon={<Plus aria-hidden className="size-4" />}
            onClick={add}
          />
        )
      }
    >
      <section
        ref={list}
        tabIndex={-1}
        aria-label={t`Corporations`}
        className="card overflow-hidden focus:outline-none"
      >
        <SearchBox
          label={t`Search corporations`}
          search={query.search}
          to={search => listAddress(paths.corporations, { page: 1, search })}
        />
        <CorporationList
          query={query}
          loaded={shown}
          add={addButton}
          onEdit={can_update ? edit : undefined}
          onDelete={can_delete ? remove : undefined}
        />
      </section>
      {open?.kind === 'add' && <CorporationForm onClose={close} onSaved={done} />}
      {open?.kind === 'edit' && (
        <CorporationForm
          corporation={open.corporation}
          onClose={isStale => (isStale ? done() : close())}
          onSaved={done}
        />
      )}
      {open?.kind === 'delete' && (
        <DeleteDialog
          corporation={open.corporation}
          onClose={close}
          onDeleted={() => {
            close()
            afterDeletion()
          }}
        />
      )}
    </Page>
  )
}
