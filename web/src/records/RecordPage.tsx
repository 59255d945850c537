import { t } from '@lingui/core/macro'
import { ArrowLeft, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Records } from '~/core'
import type { ListQuery } from '~/lib/query'
import { useTitle } from '~/lib/title'
import { Avatar } from '~/ui/Avatar'
import { buttonClass } from '~/ui/Button'
import { DraftButton } from '~/ui/DraftButton'
import { ActionButton, MoreMenu } from '~/ui/MoreMenu'
import { focusPageHeading } from '~/ui/pageHeading'
import { Loading } from '~/ui/Skeleton'
import { usePhone } from '~/ui/usePhone'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { CardsInOrder } from './CardsInOrder'
import { DeleteRecordDialog } from './DeleteRecordDialog'
import { capitalize, type Shown } from './kind'
import { LoadFailed } from './LoadFailed'
import { NeighborLinks } from './NeighborLinks'
import { ReachLinks } from './ReachLinks'
import type { FormDialog } from './useDialogs'
import type { RecordPageState } from './useRecordPage'

type Props<L extends keyof Records, Q extends ListQuery, R> = {
  /** The result of `useRecordPage`. */
  page: RecordPageState<L, Q, R>
  /** Renders the form that edits the record. */
  form: (dialog: FormDialog<Shown<L, R>>) => ReactNode
  /** Shows no avatar: the record is neither a person nor a company, so its initials mean nothing. */
  withoutAvatar?: boolean
  /** Returns the record's name as the heading shows it, if it has rules for where its lines break. */
  headingOf?: (record: Shown<L, R>) => string
  /** Returns what is shown below the record's name. */
  subtitleOf?: (record: Shown<L, R>) => ReactNode
  /** Returns the URLs that call and mail the person, for links that a phone shows beside the actions. */
  reachOf?: (record: Shown<L, R>) => string[]
  /** Returns whether the record can be deleted; by default true. */
  isDeletable?: (record: Shown<L, R>) => boolean
  children: (record: Shown<L, R>) => ReactNode
}

/** The page of a record: links to its list and to the records before and after it, its values, and its actions. */
export function RecordPage<L extends keyof Records, Q extends ListQuery, R>({
  page,
  form: renderForm,
  withoutAvatar = false,
  headingOf = page.kind.nameOf,
  subtitleOf,
  reachOf,
  isDeletable = () => true,
  children,
}: Props<L, Q, R>) {
  const { kind, outcome, record, updates, list, may, neighbors, hasDraft, edit, remove, form, deletion } =
    page
  const { one, definite } = kind.words
  const noun = capitalize(one)
  const phone = usePhone()
  const name = record && kind.nameOf(record)
  useTitle(name ?? noun)
  // Another user has deleted the record.
  useRescuedFocus(record !== undefined, focusPageHeading)
  return (
    <div className="mx-auto w-full max-w-420 px-4 py-6 md:px-6 md:py-8 low:pt-2">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4">
        <Link to={list} className={buttonClass('ghost', '-ml-4 min-w-0')}>
          <ArrowLeft aria-hidden className="size-4" />
          {kind.title}
        </Link>
        <NeighborLinks neighbors={neighbors} />
      </div>
      {!outcome && (
        <>
          <h1 className="sr-only">{noun}</h1>
          <Skeleton withoutAvatar={withoutAvatar} />
        </>
      )}
      {record && name !== undefined && (
        <>
          <header className="mt-3 mb-6 flex flex-wrap items-center gap-x-6 gap-y-4 low:mt-0 low:mb-3">
            <div className="flex min-w-0 flex-1 basis-60 items-center gap-4">
              {!withoutAvatar && <Avatar name={name} size="large" />}
              <div className="min-w-0">
                <h1 className="text-2xl leading-8 font-semibold tracking-tight [overflow-wrap:anywhere]">
                  {headingOf(record)}
                </h1>
                {subtitleOf && <div className="mt-0.5 text-muted">{subtitleOf(record)}</div>}
              </div>
            </div>
            <div className="flex flex-wrap gap-2 max-sm:w-full print:hidden">
              {phone && reachOf && <ReachLinks name={name} urls={reachOf(record)} />}
              {may.can_update && (
                <DraftButton hasDraft={hasDraft} className="max-sm:flex-1" onClick={() => edit(record)}>
                  <Pencil aria-hidden className="size-4" />
                  {t`Edit`}
                </DraftButton>
              )}
              {may.can_delete && isDeletable(record) && (
                // In a menu, so that it isn't pressed in place of Edit.
                <MoreMenu>
                  <ActionButton icon={Trash2} kind="danger" onClick={() => remove(record)}>
                    {t`Delete`}
                  </ActionButton>
                </MoreMenu>
              )}
            </div>
          </header>
          <div aria-live="polite" className="sr-only">
            {/* Another key, so that screen readers announce each change. */}
            {updates > 0 && <span key={updates}>{t`The page shows new changes`}</span>}
          </div>
          <CardsInOrder>{children(record)}</CardsInOrder>
        </>
      )}
      {outcome && !outcome.ok && (
        <LoadFailed
          whole
          error={outcome.error}
          title={kind.failures?.load ?? t`Failed to load this ${definite}.`}
          forbidden={t`You don't have access to this ${definite}`}
        />
      )}
      {form && renderForm(form)}
      {deletion && <DeleteRecordDialog kind={kind} {...deletion} />}
    </div>
  )
}

function Skeleton({ withoutAvatar }: { withoutAvatar: boolean }) {
  return (
    <Loading className="mt-4">
      <div className="flex items-center gap-4">
        {!withoutAvatar && <div className="skeleton size-14 rounded-full" />}
        <div className="skeleton h-7 w-56" />
      </div>
      <div className="mt-6 grid gap-4 lg:grid-cols-2">
        <div className="skeleton h-44 rounded-xl" />
        <div className="skeleton h-44 rounded-xl" />
      </div>
    </Loading>
  )
}
