import { t } from '@lingui/core/macro'
import { ArrowLeft, UserPlus, UsersRound } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import { type CorporationUser, type CorporationUserList, core } from '~/core'
import { count } from '~/lib/format'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { usePermissions, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { Button, buttonClass } from '~/ui/Button'
import { LoadFailed } from '~/ui/LoadFailed'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { ActivityDialog } from './ActivityDialog'
import { BanDialog } from './BanDialog'
import { useListBehind } from './CorporationLink'
import { LiftBanDialog } from './LiftBanDialog'
import type { corporationUsersLoader } from './loader'
import { UserForm } from './UserForm'
import { type UserAction, UserTable } from './UserTable'

type Open = { action: 'add' } | { action: UserAction; user: CorporationUser }

/** The users of one corporation. */
export function CorporationUsersPage() {
  useTitle(t`Corporation Users`)
  const { coming } = useLoaderData<typeof corporationUsersLoader>()
  const { outcome, stale } = useLoaded(coming)
  const { revalidate } = useRevalidator()
  const { profile } = useSession()
  const { can_create, can_update } = usePermissions(paths.corporations)
  const list = useListBehind()
  const [open, setOpen] = useState<Open>()
  const choose = useCallback((user: CorporationUser, action: UserAction) => setOpen({ action, user }), [])
  const may = useCallback(
    ({ id, type }: CorporationUser, action: UserAction) => {
      const isSelf = id === profile.id
      const allows = {
        // The form of this screen makes no Super Admin.
        edit: () => core.corporationUserTypes().includes(type),
        activity: () => core.mayDeactivate(isSelf),
        ban: () => core.mayBan(isSelf),
      }
      return (can_update ?? false) && allows[action]()
    },
    [can_update, profile.id],
  )
  const texts = core.texts().corporations
  const isUnknown = outcome?.ok === false && problemOf(outcome.error)?.status === 404
  const close = () => setOpen(undefined)
  const done = () => {
    close()
    void revalidate()
  }
  const corporation = outcome?.ok ? outcome.value.corporation : undefined
  const add = () => setOpen({ action: 'add' })
  const addButton = can_create && corporation && (
    <Button kind="primary" onClick={add}>
      <UserPlus aria-hidden className="size-4" />
      {t`Add User`}
    </Button>
  )
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
        subtitle={corporation && t`Users for ${corporation.corp_name}`}
        actions={
          can_create &&
          corporation && (
            <NewButton label={t`Add User`} icon={<UserPlus aria-hidden className="size-4" />} onClick={add} />
          )
        }
      >
        <section aria-label={t`Users`} className="card overflow-hidden">
          {!outcome && <SkeletonRows rows={5} columns={7} />}
          {outcome?.ok === false && (
            <LoadFailed
              error={outcome.error}
              title={isUnknown ? texts.noneSelected : texts.usersLoadFailed}
              forbidden={t`You don't have access to users`}
            />
          )}
          {outcome?.ok &&
            (outcome.value.users.data.length > 0 ? (
              <>
                <UserTable users={outcome.value.users.data} stale={stale} may={may} onChoose={choose} />
                <MoreUsers list={outcome.value.users} />
              </>
            ) : (
              <State icon={<UsersRound className="size-6" />} title={t`No users found`} action={addButton} />
            ))}
        </section>
      </Page>
      {open?.action === 'ban' &&
        (open.user.ban ? (
          <LiftBanDialog user={open.user} ban={open.user.ban} onClose={close} onLifted={done} />
        ) : (
          <BanDialog user={open.user} onClose={close} onBanned={done} />
        ))}
      {open?.action === 'activity' && <ActivityDialog user={open.user} onClose={close} onDone={done} />}
      {corporation && (open?.action === 'add' || open?.action === 'edit') && (
        <UserForm
          corpId={corporation.corp_id}
          user={open.action === 'edit' ? open.user : undefined}
          onClose={isStale => (isStale ? done() : close())}
          onSaved={done}
        />
      )}
    </>
  )
}

/** Says that the list leaves users out: a response has room for a few thousand. */
function MoreUsers({ list }: { list: CorporationUserList }) {
  if (list.data.length >= list.totalItems) return null
  const [shown, total] = [count(list.data.length), count(list.totalItems)]
  return (
    <p className="border-t border-line p-3 text-muted md:px-4">
      {t`Showing the first ${shown} of ${total} users.`}
    </p>
  )
}
