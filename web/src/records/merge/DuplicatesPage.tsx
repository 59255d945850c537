import { plural, t } from '@lingui/core/macro'
import { ArrowLeft, CopyCheck, Merge } from 'lucide-react'
import { useState } from 'react'
import { Link, useLoaderData } from 'react-router'
import type { ListPage, ListQuery } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { Badge } from '~/ui/Badge'
import { Button, buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { ListSection } from '../ListSection'
import type { ListData } from '../loaders'
import { RecordLink } from '../RecordLink'
import { useRecords } from '../useRecords'
import { reasonName } from './api'
import { type Duplicates, type MergeKind, mayMergeRecords, PAGE_SIZE } from './duplicates'
import { MergeDialog, type MergeRecord } from './MergeDialog'

type Props<R> = {
  kind: MergeKind<R>
  /** The path of this page. */
  route: string
  title: string
  /** Returns texts by which users distinguish records with the same name. */
  detailsOf: (record: R) => string[]
}

/** The page with groups of records that may be duplicates of each other. */
export function DuplicatesPage<R extends MergeRecord>({ kind, route, title, detailsOf }: Props<R>) {
  useTitle(title)
  const { idOf } = kind
  const { many } = kind.words
  const records = useRecords<ListPage<Duplicates<R>>, ListQuery>({
    route,
    ...useLoaderData<ListData<ListQuery, ListPage<Duplicates<R>>>>(),
  })
  const { afterDeletion } = records
  const may = usePermissions(kind.route)
  const [merging, setMerging] = useState<R[]>()
  return (
    <Page
      title={title}
      subtitle={t`Records that may be the same. Merge them, or leave them as they are.`}
      back={
        <Link to={kind.route} className={buttonClass('ghost')}>
          <ArrowLeft aria-hidden className="size-4" />
          {kind.title}
        </Link>
      }
    >
      <ListSection
        records={records}
        label={title}
        noun={t`groups`}
        singularNoun={t`group`}
        pageSize={PAGE_SIZE}
        skeletonRows={6}
        loadFailed={t`Failed to load the duplicates`}
        forbidden={t`You don't have access to ${many}`}
        empty={
          <State icon={<CopyCheck className="size-6" />} title={t`No duplicates found`}>
            {t`No two records have the same email or phone number, or the same or a similar name at one address.`}
          </State>
        }
        rows={(groups, stale) => (
          <ul aria-label={title} aria-busy={stale} className="divide-y divide-line">
            {groups.map(group => (
              <Group
                key={group.records.map(idOf).join()}
                group={group}
                kind={kind}
                detailsOf={detailsOf}
                onMerge={mayMergeRecords(may) ? () => setMerging(group.records) : undefined}
                stale={stale}
              />
            ))}
          </ul>
        )}
      />
      {merging && (
        <MergeDialog
          list={kind.resource}
          records={merging}
          idOf={idOf}
          onClose={() => setMerging(undefined)}
          onMerged={() => {
            setMerging(undefined)
            afterDeletion()
          }}
        />
      )}
    </Page>
  )
}

type GroupProps<R> = Pick<Props<R>, 'kind' | 'detailsOf'> & {
  group: Duplicates<R>
  onMerge?: () => void
  stale: boolean
}

function Group<R extends MergeRecord>({ group, kind, detailsOf, onMerge, stale }: GroupProps<R>) {
  const { idOf, pathOf } = kind
  const { reasons, records, count } = group
  const more = count - records.length
  const first = records[0]?.name ?? ''
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 p-4">
      <div className="grid min-w-0 flex-1 basis-80 gap-3">
        <p className="flex flex-wrap gap-1.5">
          {reasons.map(reason => (
            <Badge key={reason} kind="quiet">
              {reasonName(reason)}
            </Badge>
          ))}
        </p>
        <ul className="grid gap-2 [overflow-wrap:anywhere]">
          {records.map(record => (
            <li key={idOf(record)}>
              <RecordLink
                to={pathOf(idOf(record))}
                className="inline-flex items-center rounded font-medium hover:underline touch:min-h-touch"
              >
                {record.name}
              </RecordLink>
              <span className="block text-muted">{detailsOf(record).filter(Boolean).join(' · ')}</span>
            </li>
          ))}
          {more > 0 && (
            <li className="text-muted">{plural(more, { one: 'and # more', other: 'and # more' })}</li>
          )}
        </ul>
      </div>
      {onMerge && (
        <Button aria-label={t`Merge ${first}…`} ariaDisabled={stale} onClick={onMerge}>
          <Merge aria-hidden className="size-4" />
          {t`Merge…`}
        </Button>
      )}
    </li>
  )
}
