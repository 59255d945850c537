import { plural } from '@lingui/core/macro'
import type { RevertResult } from '~/core'
import { reasonOf } from '../select/bulk'

/** The maximum number of records that a list names. */
const NAMED = 5

export type PreviewProps = { preview: RevertResult; shouldOverwrite: boolean }

/** The preview of undoing an import: how many contacts go to the trash, which were changed since, and how many stay. */
export function ImportedRecords({ preview, shouldOverwrite }: PreviewProps) {
  const { reverted, kept, kept_count, bound_count } = preview
  const trashed = shouldOverwrite ? reverted + kept_count : reverted
  return (
    <>
      {trashed > 0 && (
        <p>
          {plural(trashed, {
            one: '# contact goes to the trash, from where it can be restored.',
            other: '# contacts go to the trash, from where they can be restored.',
          })}
        </p>
      )}
      {kept_count > 0 && (
        <>
          <p>
            {shouldOverwrite
              ? plural(kept_count, {
                  one: '# of them has been changed since its import:',
                  other: '# of them have been changed since their import:',
                })
              : plural(kept_count, {
                  one: '# contact has been changed since its import and stays:',
                  other: '# contacts have been changed since their import and stay:',
                })}
          </p>
          <Names count={kept_count}>{kept.map(({ id, label }) => [id, label])}</Names>
        </>
      )}
      {bound_count > 0 && (
        <p>
          {plural(bound_count, {
            one: '# contact is in a signed or delivered agreement and stays.',
            other: '# contacts are in signed or delivered agreements and stay.',
          })}
        </p>
      )}
    </>
  )
}

/**
 * The preview of undoing a bulk action on `total` records: how many get their old values back, and which don't, and why.
 */
export function Records({
  preview: { reverted, kept, refused },
  shouldOverwrite,
  total,
}: PreviewProps & { total: number }) {
  // A record of which only some fields were changed again is both among the reverted and the kept ones.
  const restored = shouldOverwrite ? Math.min(reverted + kept.length, total - refused.length) : reverted
  return (
    <>
      {restored > 0 && (
        <p>
          {plural(restored, {
            one: '# record gets its old values back.',
            other: '# records get their old values back.',
          })}
        </p>
      )}
      {kept.length > 0 && (
        <>
          <p>
            {shouldOverwrite
              ? plural(kept.length, {
                  one: '# record has been changed again since then. Its changed fields will be overwritten:',
                  other:
                    '# records have been changed again since then. Their changed fields will be overwritten:',
                })
              : plural(kept.length, {
                  one: '# record has been changed again since then. Its changed fields keep their present values:',
                  other:
                    '# records have been changed again since then. Their changed fields keep their present values:',
                })}
          </p>
          <Names count={kept.length}>{kept.map(({ id, label }) => [id, label])}</Names>
        </>
      )}
      {refused.length > 0 && (
        <>
          <p>
            {plural(refused.length, {
              one: "The change of # record can't be undone:",
              other: "The changes of # records can't be undone:",
            })}
          </p>
          <Names count={refused.length}>
            {refused.map(each => [each.id, `${each.label}: ${reasonOf(each)}`])}
          </Names>
        </>
      )}
    </>
  )
}

/** A list of names (each with its React key). The last item says how many of `count` names are missing. */
function Names({ count, children }: { count: number; children: [key: string, name: string][] }) {
  const named = children.slice(0, NAMED)
  const more = count - named.length
  return (
    <ul className="list-disc pl-5 [overflow-wrap:anywhere]">
      {named.map(([key, name]) => (
        <li key={key}>{name}</li>
      ))}
      {more > 0 && <li>{plural(more, { one: '# more', other: '# more' })}</li>}
    </ul>
  )
}
