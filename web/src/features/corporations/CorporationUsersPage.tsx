import { ArrowLeft, UsersRound } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import { type CorporationUser, core } from '~/core'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { usePermissions, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { LoadFailed } from '~/ui/LoadFailed'
import { Page } from '~/ui/Page'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { BanDialog } from './BanDialog'
import { useListBehind } from './CorporationLink'
import { LiftBanDialog } from './LiftBanDialog'
import type { corporationUsersLoader } from './route'
import { UserTable } from './UserTable'

/** The users of one corporation. */
export function CorporationUsersPage() {
  useTitle('Corporation Users')
  const { coming } = useLoaderData<typeof corporationUsersLoader>()
  const { outcome, stale } = useLoaded(coming)
  const { revalidate } = useRevalidator()
  const { profile } = useSession()
  const { can_update } = usePermissions(paths.corporations)
  const list = useListBehind()
  const [chosen, setChosen] = useState<CorporationUser>()
  const may = useCallback(
    (user: CorporationUser) => (can_update ?? false) && user.id !== profile.id,
    [can_update, profile.id],
  )
  const texts = core.texts().corporations
  const isUnknown = outcome?.ok === false && problemOf(outcome.error)?.status === 404
  const done = () => {
    setChosen(undefined)
    void revalidate()
  }
  return (
    <>
      <Page
        back={
          <Link to={list} className={buttonClass('ghost')}>
            <ArrowLeft aria-hidden className="size-4" />
            Corporations
          </Link>
        }
        title="Corporation Users"
        subtitle={outcome?.ok && `Users for ${outcome.value.corporation.corp_name}`}
      >
        <section aria-label="Users" className="card overflow-hidden">
          {!outcome && <SkeletonRows rows={5} columns={7} />}
          {outcome?.ok === false && (
            <LoadFailed
              error={outcome.error}
              title={isUnknown ? texts.noneSelected : texts.usersLoadFailed}
              forbidden="You can't see these users"
            />
          )}
          {outcome?.ok &&
            (outcome.value.users.length > 0 ? (
              <UserTable users={outcome.value.users} stale={stale} may={may} onChoose={setChosen} />
            ) : (
              <State icon={<UsersRound className="size-6" />} title="No users found" />
            ))}
        </section>
      </Page>
      {chosen && !chosen.ban && (
        <BanDialog user={chosen} onClose={() => setChosen(undefined)} onBanned={done} />
      )}
      {chosen?.ban && (
        <LiftBanDialog user={chosen} ban={chosen.ban} onClose={() => setChosen(undefined)} onLifted={done} />
      )}
    </>
  )
}
