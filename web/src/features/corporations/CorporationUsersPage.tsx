import { t } from '@lingui/core/macro'
import { ArrowLeft, Ban, LockOpen, Pencil, UserCheck, UserPlus, UsersRound, UserX } from 'lucide-react'
import { useContext, useState } from 'react'
import { Link, useLoaderData, useNavigate, useParams } from 'react-router'
import { type CorporationUser, core } from '~/core'
import { isGone } from '~/core/problem'
import { textOf } from '~/language'
import type { AfterDeletion } from '~/lib/deletion'
import { useHasDraft } from '~/lib/drafts'
import { useLastLoaded } from '~/lib/lastLoaded'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { usePermissions, useReload, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { TextLoading } from '~/records/CardState'
import { EmptyList } from '~/records/EmptyList'
import { LoadFailed } from '~/records/LoadFailed'
import { useOriginList } from '~/records/RecordLink'
import { useRecords } from '~/records/useRecords'
import { buttonClass } from '~/ui/Button'
import { DraftButton } from '~/ui/DraftButton'
import { IconButton } from '~/ui/IconButton'
import { InMenu } from '~/ui/Menu'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { focusPageHeading } from '~/ui/pageHeading'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { ActivityDialog } from './ActivityDialog'
import { ApprovalCard } from './ApprovalCard'
import { BanUserDialog } from './BanUserDialog'
import { CorporationForm } from './CorporationForm'
import { kind, userDraftOf } from './kind'
import { LiftUserBanDialog } from './LiftUserBanDialog'
import type { corporationUsersLoader } from './loader'
import { statusOf } from './status'
import { UserForm } from './UserForm'
import { UserList } from './UserList'
import { userName } from './userName'

/** Which dialog is open, and for which user. `corporation` is the form of the corporation itself. */
type Dialog =
  | { action: 'add' | 'corporation' }
  | { action: 'edit' | 'activity' | 'ban'; user: CorporationUser }

const NOT_LOADED = { corporation: undefined, contact: undefined }

/** The page with the users of a corporation, for Super Admins. */
export function CorporationUsersPage() {
  const { id = '' } = useParams()
  const route = paths.corporationUsers(id)
  const data = useLoaderData<Awaited<ReturnType<typeof corporationUsersLoader>>>()
  const users = useRecords({
    route,
    // Without a view, because the list has none.
    address: query => listAddress(route, { ...query, view: '' }),
    ...data.list,
  })
  const details = useLastLoaded(useLoaded(data.details), 'corporation').outcome
  const { outcome } = users.loaded
  const reload = useReload()
  const { profile } = useSession()
  const { can_create, can_update } = usePermissions(paths.corporations)
  const origin = useOriginList() ?? paths.corporations
  // The first value, because the history entry of a search or another page of users has no origin.
  const [list] = useState(origin)
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<Dialog>()
  const hasDraft = useHasDraft(kind.draftOf(id))
  const hasUserDraft = useHasDraft(userDraftOf(id))
  const texts = core.texts().corporations
  const isUnknown = outcome?.ok === false && isGone(outcome.error)
  const close = () => setDialog(undefined)
  const done = () => {
    close()
    // The session contains the name and the resources of the user's own corporation.
    reload(dialog?.action === 'corporation' && corporation?.corp_id === profile.corp.corp_id)
  }
  const { corporation, contact } = details?.ok ? details.value : NOT_LOADED
  useTitle(corporation?.corp_name ?? t`Corporation Users`)
  useRescuedFocus(corporation?.awaits_approval ?? false, focusPageHeading)
  const mayAdd = can_create && corporation !== undefined
  const add = () => setDialog({ action: 'add' })
  const plus = <UserPlus aria-hidden className="size-4" />
  return (
    <>
      <Page
        back={
          <Link to={list} className={buttonClass('ghost')}>
            <ArrowLeft aria-hidden className="size-4" />
            {t`Corporations`}
          </Link>
        }
        title={t`Corporation Users`}
        // Takes the same space while it loads and after a failure, so that the list doesn't move.
        subtitle={
          corporation ? (
            [t`Users for ${corporation.corp_name}`, !corporation.corp_active && statusOf(corporation).name]
              .filter(Boolean)
              .join(' · ')
          ) : details ? (
            '\u00a0'
          ) : (
            <TextLoading width="w-48" />
          )
        }
        actions={
          corporation && (
            <>
              {can_update && (
                <DraftButton hasDraft={hasDraft} onClick={() => setDialog({ action: 'corporation' })}>
                  <Pencil aria-hidden className="size-4" />
                  {t`Edit corporation`}
                </DraftButton>
              )}
              {mayAdd && <NewButton label={t`Add User`} icon={plus} hasDraft={hasUserDraft} onClick={add} />}
            </>
          )
        }
      >
        {corporation?.awaits_approval && (
          <ApprovalCard
            key={corporation.corp_id}
            corporation={corporation}
            contact={contact}
            onRetry={() => reload(false)}
            onChanged={done}
            onDeleted={() => {
              const state: AfterDeletion = { afterDeletion: true }
              // `replace`, so that Back doesn't lead to the deleted corporation.
              void navigate(list, { replace: true, state })
            }}
          />
        )}
        {isUnknown ? (
          <section aria-label={t`Users`} className="card overflow-hidden">
            <LoadFailed
              error={outcome.error}
              title={textOf(texts.noneSelected)}
              forbidden=""
              action={
                <Link to={list} className={buttonClass('primary')}>
                  {t`Go to corporations`}
                </Link>
              }
            />
          </section>
        ) : (
          <UserList
            users={users}
            empty={
              <EmptyList
                icon={UsersRound}
                title={t`No users found`}
                button={t`Add User`}
                buttonIcon={plus}
                onCreate={mayAdd && add}
              />
            }
            onOpen={user =>
              can_update && isEditable(user) ? () => setDialog({ action: 'edit', user }) : undefined
            }
            actions={user => can_update && <Actions user={user} onOpen={setDialog} />}
          />
        )}
      </Page>
      {dialog?.action === 'ban' &&
        (dialog.user.ban ? (
          <LiftUserBanDialog user={dialog.user} ban={dialog.user.ban} onClose={close} onLifted={done} />
        ) : (
          <BanUserDialog user={dialog.user} onClose={close} onBanned={done} />
        ))}
      {dialog?.action === 'activity' && <ActivityDialog user={dialog.user} onClose={close} onDone={done} />}
      {corporation && dialog?.action === 'corporation' && (
        <CorporationForm
          record={corporation}
          onClose={isStale => (isStale ? done() : close())}
          onSaved={done}
        />
      )}
      {corporation && (dialog?.action === 'add' || dialog?.action === 'edit') && (
        <UserForm
          corpId={corporation.corp_id}
          record={dialog.action === 'edit' ? dialog.user : undefined}
          onClose={isStale => (isStale ? done() : close())}
          onSaved={done}
        />
      )}
    </>
  )
}

/** Returns whether the form of this page can edit the user. It can't edit Super Admins. */
const isEditable = ({ type }: CorporationUser) => core.corporationUserTypes().includes(type)

/** The buttons of a user's row. Shown only to users who may edit corporations. */
function Actions({ user, onOpen }: { user: CorporationUser; onOpen: (dialog: Dialog) => void }) {
  const isSelf = useSession().profile.id === user.id
  const name = userName(user)
  const isInMenu = useContext(InMenu)
  // A menu belongs to one user, so its items leave out the name.
  const tip = (action: string) => (isInMenu ? action : undefined)
  const icon = { 'aria-hidden': true, className: 'size-4.5' } as const
  return (
    <>
      {isEditable(user) && (
        <IconButton
          label={t`Edit ${name}`}
          tip={tip(t`Edit`)}
          icon={<Pencil {...icon} />}
          onClick={() => onOpen({ action: 'edit', user })}
        />
      )}
      {(user.can_deactivate || !user.is_active) && (
        <IconButton
          label={user.is_active ? t`Deactivate ${name}` : t`Activate ${name}`}
          tip={tip(user.is_active ? t`Deactivate` : t`Activate`)}
          icon={user.is_active ? <UserX {...icon} /> : <UserCheck {...icon} />}
          onClick={() => onOpen({ action: 'activity', user })}
        />
      )}
      {core.mayBan(isSelf) && (
        <IconButton
          label={user.ban ? t`Lift the ban on ${name}` : t`Ban ${name}`}
          tip={tip(user.ban ? t`Lift the ban` : t`Ban`)}
          icon={user.ban ? <LockOpen {...icon} /> : <Ban {...icon} />}
          onClick={() => onOpen({ action: 'ban', user })}
        />
      )}
    </>
  )
}
