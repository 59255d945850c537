import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Ellipsis, EyeOff, Star, Users } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { View } from '~/core'
import { isConflict, isGone, messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { useAttempt } from '~/lib/attempt'
import { ALL } from '~/lib/query'
import { useSession } from '~/lib/session'
import { ActionDialog } from '~/ui/ActionDialog'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { Menu } from '~/ui/Menu'
import { toast } from '~/ui/Toasts'
import { usePhone } from '~/ui/usePhone'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import type { Fields } from '../useFields'
import { ALL_RECORDS, contentOf, stateOf, type ViewState } from './state'
import type { Views } from './useViews'
import { ViewForm } from './ViewForm'

type Props = {
  fields: Fields | undefined
  views: Views
  /** The view that the URL names; undefined for all records. */
  active: View | undefined
  /** The query and columns that the list shows now. */
  current: ViewState
  isChanged: boolean
  /** Returns the URL of the list with this view and query. */
  addressOf: (view: string, state: ViewState) => string
  /** Opens a view with the query of this state, and forgets this device's layout of the active view. */
  onOpen: (view: string, state: ViewState) => void
}

// The focus ring is inside, because the list of the tabs scrolls and would cut it.
const viewLook =
  'relative inline-flex h-10 shrink-0 items-center gap-1.5 px-1 font-medium whitespace-nowrap focus-visible:-outline-offset-2 max-md:rounded-full max-md:border max-md:px-4 touch:h-12'

const focusCurrentTab = (place: HTMLElement | null) =>
  place?.querySelector<HTMLElement>('[aria-current]')?.focus()

/** Says that a view is shared, and by which other user: the user's own views may have the same name. */
const sharedText = ({ id, name }: View['owner'], own: string) =>
  id && id !== own ? t`shared by ${name}` : t`shared`

/** The saved views of a list as tabs, with buttons to save, edit and delete them. */
export function ViewTabs(props: Props) {
  const { fields, views, active, current, isChanged, addressOf, onOpen } = props
  const { profile } = useSession()
  const isPhone = usePhone()
  // With `replace`, the active view that was being saved no longer exists. A form offers to save it as a new one.
  const [task, setTask] = useState<'create' | 'edit' | 'replace' | 'delete'>()
  // The view that is being saved, until the views have been loaded again. A second click before would send an old
  // version.
  const [saving, setSaving] = useState<View>()
  const isSaving = saving !== undefined && saving === active && !views.isFailed
  const close = () => setTask(undefined)
  const container = useRef<HTMLDivElement>(null)
  // The id of a view that was saved, or `ALL` after a deletion, until its tab is shown. The tab then gets the focus,
  // because the button that had it may have disappeared, unless the user has moved on.
  const tabToFocus = useRef<string>(undefined)
  useEffect(() => {
    if ((active?.view_id ?? ALL) !== tabToFocus.current) return
    tabToFocus.current = undefined
    const { activeElement, body } = document
    if (activeElement !== body && !container.current?.contains(activeElement)) return
    focusCurrentTab(container.current)
  }, [active])
  // The buttons disappear when the list is reset.
  useRescuedFocus(isChanged, () => focusCurrentTab(container.current))
  const focusAfterReload = ({ view_id }: Pick<View, 'view_id'>) => {
    tabToFocus.current = view_id
    views.reload()
  }
  // Until the views have loaded, the tab of all records is shown alone, so that the list below doesn't move later.
  const list = views.views ?? []
  const mayDelete = active && fields?.rules.mayChangeView(active.owner.id === profile.id, profile.type)
  const mayChange = mayDelete && !active.is_restricted
  const content = fields && contentOf(fields.list, current, name => fields.find(name) !== undefined)
  const stored =
    active && fields && contentOf(fields.list, stateOf(active), name => fields.find(name) !== undefined)
  const update = async () => {
    if (!active || !content || isSaving) return
    const { name, scope, is_default, version } = active
    setSaving(active)
    try {
      const updated = await views.update(active.view_id, { ...content, name, scope, is_default, version })
      if (fields) toast.success(textOf(fields.rules.viewTexts().updated))
      focusAfterReload(updated)
      onOpen(updated.view_id, stateOf(updated))
    } catch (error) {
      // After a conflict the button stays busy until the view's new version is loaded.
      if (!isConflict(error)) setSaving(undefined)
      if (isGone(error)) return setTask('replace')
      toast.error(messageOf(error, t`The view couldn't be saved.`))
    }
  }
  const reset = () => onOpen(active?.view_id ?? ALL, active ? stateOf(active) : ALL_RECORDS)
  const saveAsNew = mayChange ? t`Save as new view` : t`Save view`
  const tab = (id: string, name: string, state: ViewState, view?: View) => {
    const isActive = view ? view === active : !active
    const shared = view?.scope === 'shared' && sharedText(view.owner, profile.id)
    return (
      <li key={id}>
        <Link
          to={addressOf(id, state)}
          aria-current={isActive || undefined}
          className={cx(
            viewLook,
            isActive
              ? 'text-ink after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:bg-fill max-md:border-accent-text max-md:bg-soft max-md:text-accent-text max-md:after:hidden'
              : 'text-muted hover:text-ink max-md:border-line max-md:bg-card',
          )}
        >
          {shared && (
            <span title={shared}>
              <Users aria-label={shared} className="size-4" />
            </span>
          )}
          <span className="max-w-60 truncate">{name}</span>
          {view?.is_restricted && (
            <EyeOff aria-label={t`uses fields that you no longer see`} className="size-4" />
          )}
          {view?.is_default && <Star aria-label={t`default`} className="size-3.5 fill-current" />}
          {isActive && isChanged && (
            <>
              <span aria-hidden className="size-1.5 rounded-full bg-fill" />
              <span className="sr-only">{t`changed`}</span>
            </>
          )}
        </Link>
      </li>
    )
  }
  // An open form stays: it has what the user has typed.
  if (views.isFailed && !views.views && !task) return null
  return (
    <div
      ref={container}
      className="mb-3 flex flex-wrap items-center border-line md:gap-x-4 md:border-b print:hidden"
    >
      <nav aria-label={t`Views`} className="min-w-0 flex-1 basis-56">
        <ul className="flex gap-4 overflow-x-auto overflow-y-hidden max-md:-mx-4 max-md:gap-2 max-md:px-4 max-md:py-1 max-md:[scrollbar-width:none]">
          {tab(ALL, t`All`, ALL_RECORDS)}
          {list.map(view => tab(view.view_id, view.name, stateOf(view), view))}
        </ul>
      </nav>
      {/* Not higher than the tabs, so that the list below doesn't move when the buttons appear. */}
      <div className="flex flex-wrap items-center gap-1">
        {isChanged && !isPhone && (
          <>
            <Button kind="ghost" className="h-8! px-2.5! touch:h-touch!" onClick={reset}>
              {t`Reset`}
            </Button>
            {mayChange && (
              <Button className="h-8! px-3! touch:h-touch!" busy={isSaving} onClick={() => void update()}>
                {t`Save changes`}
              </Button>
            )}
            <Button className="h-8! px-3! touch:h-touch!" onClick={() => setTask('create')}>
              {saveAsNew}
            </Button>
          </>
        )}
        {(mayDelete || (isChanged && isPhone)) && (
          <Menu
            trigger={
              <button type="button" aria-label={t`Change this view`} className={iconButtonClass}>
                <Ellipsis aria-hidden className="size-4.5" />
              </button>
            }
          >
            {isChanged && isPhone && (
              <>
                {mayChange && (
                  <Base.Item className="option" onClick={() => void update()}>
                    {t`Save changes`}
                  </Base.Item>
                )}
                <Base.Item className="option" onClick={() => setTask('create')}>
                  {saveAsNew}
                </Base.Item>
                <Base.Item className="option" onClick={reset}>
                  {t`Reset`}
                </Base.Item>
              </>
            )}
            {mayChange && (
              <Base.Item className="option" onClick={() => setTask('edit')}>
                {t`Rename or share…`}
              </Base.Item>
            )}
            {mayDelete && (
              <Base.Item className="option text-danger" onClick={() => setTask('delete')}>
                {t`Delete view…`}
              </Base.Item>
            )}
          </Menu>
        )}
      </div>
      {fields && content && task === 'create' && (
        <ViewForm
          fields={fields}
          views={views}
          content={content}
          onClose={close}
          onSaved={saved => {
            close()
            focusAfterReload(saved)
            onOpen(saved.view_id, stateOf(saved))
          }}
        />
      )}
      {fields && content && stored && active && (task === 'edit' || task === 'replace') && (
        <ViewForm
          fields={fields}
          views={views}
          content={task === 'edit' ? stored : content}
          view={active}
          isDeleted={task === 'replace'}
          onDeleted={() => setTask('replace')}
          onClose={() => {
            close()
            if (task === 'replace') focusAfterReload({ view_id: ALL })
          }}
          onSaved={saved => {
            close()
            focusAfterReload(saved)
            if (task === 'replace') onOpen(saved.view_id, stateOf(saved))
          }}
        />
      )}
      {active && fields && task === 'delete' && (
        <DeleteView
          name={active.name}
          isShared={active.scope === 'shared'}
          onClose={close}
          remove={async () => {
            await views.remove(active.view_id)
            toast.success(textOf(fields.rules.viewTexts().deleted))
            close()
            focusAfterReload({ view_id: ALL })
            onOpen(ALL, ALL_RECORDS)
          }}
        />
      )}
    </div>
  )
}

type DeleteProps = { name: string; isShared: boolean; onClose: () => void; remove: () => Promise<void> }

function DeleteView({ name, isShared, onClose, remove }: DeleteProps) {
  const deletion = useAttempt(t`The view couldn't be deleted.`, remove)
  return (
    <ActionDialog {...deletion} title={t`Delete view`} confirmLabel={t`Delete view`} onClose={onClose}>
      {isShared
        ? t`Everyone in your corporation loses the view “${name}”. Its records stay.`
        : t`The view “${name}” will be deleted. Its records stay.`}
    </ActionDialog>
  )
}
