import { t } from '@lingui/core/macro'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { core, type LastChange } from '~/core'
import { textOf } from '~/language'
import { moment, timeOfDay } from '~/lib/format'
import { useSession } from '~/lib/session'
import { isToday } from '~/lib/today'
import { focusPageHeading } from '~/ui/pageHeading'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { actorName } from './history/actorName'
import type { Difference } from './useConflict'

type Props = {
  conflict: {
    round: number
    lastChange: LastChange | undefined
    isIdentical: boolean
    hasErased: boolean
    differences: Difference[]
  }
}

/**
 * Lists the fields that another user has changed since the form was opened, and lets the user choose between the
 * values. Renders nothing without a conflict. Takes the focus, because the user has to act on it.
 */
export function Conflict({ conflict }: Props) {
  const { round, lastChange, isIdentical, hasErased, differences } = conflict
  const section = useRef<HTMLElement>(null)
  const id = useId()
  const { profile } = useSession()
  useEffect(() => {
    if (round > 0) section.current?.focus()
  }, [round])
  // A form that stays open after saving removes this section, which may have the focus.
  useRescuedFocus(round > 0, focusPageHeading)
  if (round === 0) return null
  // Of a linked record, the two texts may both only say that there is one.
  const dropped = differences.filter(
    ({ name, mine, theirs, isDropped }) => isDropped && !(name.endsWith('_id') && mine === theirs),
  )
  const choices = differences.filter(({ mine, isDropped }) => mine !== undefined && !isDropped)
  const theirChanges = differences.filter(({ mine }) => mine === undefined)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="mb-5 scroll-m-4 rounded-lg border border-line bg-warning-soft p-3.5"
    >
      <p id={id} className="flex items-start gap-2.5 font-medium text-warning">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {hasErased ? erasedText() : conflictText(lastChange, profile.id)}
      </p>
      {choices.map(difference => (
        <Choice key={difference.name} difference={difference} />
      ))}
      <Values
        title={t`Your changes, not applied: these fields can't be changed any more`}
        fields={dropped.map(({ name, label, mine = '', theirs }) => ({
          name,
          label,
          text: mine,
          note: t`Now: ${theirs || t`empty`}`,
        }))}
      />
      <Values
        title={t`Their changes, already applied`}
        fields={theirChanges.map(({ name, label, previous, theirs }) => ({
          name,
          label,
          text: theirs,
          note: t`Previously: ${previous || t`empty`}`,
        }))}
      />
      {differences.length === 0 && !hasErased && (
        <p className="mt-1.5 pl-6.5">
          {isIdentical
            ? t`Your version is identical to theirs.`
            : t`Your changes don't conflict with theirs.`}
        </p>
      )}
    </section>
  )
}

/**
 * Returns the sentence of a conflict: who changed the record, and when, if that is known. The signed-in user, who has
 * this id, may have changed it in another tab.
 */
export function conflictText(lastChange: LastChange | undefined, userId: string): string {
  if (!lastChange) return textOf(core.texts().general.stale)
  const { at, actor } = lastChange
  const isOwn = actor.id === userId
  const name = actorName(actor)
  if (isToday(at)) {
    const time = timeOfDay(at)
    if (isOwn)
      return t`You changed this at ${time}, perhaps in another tab. Your changes here are not lost: compare the versions, then save again.`
    return t`${name} changed this at ${time}. Your changes are not lost: review theirs, then save again.`
  }
  const time = moment(at)
  if (isOwn)
    return t`You changed this on ${time}, perhaps in another tab. Your changes here are not lost: compare the versions, then save again.`
  return t`${name} changed this on ${time}. Your changes are not lost: review theirs, then save again.`
}

const erasedText = () =>
  t`Personal data in this record was erased. Your input there is gone: review the rest, then save again.`

/** The choice for a field that both users have changed: this user's value or the other user's. */
function Choice({ difference: { label, theirs, mine = '', choice, choose } }: { difference: Difference }) {
  const group = useId()
  const options = [
    ['mine', t`Yours`, mine],
    ['theirs', t`Theirs`, theirs],
  ] as const
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {options.map(([which, whose, text]) => (
          <label
            key={which}
            htmlFor={`${group}-${which}`}
            className="flex min-h-11 cursor-pointer items-start gap-2.5 rounded-lg border border-line bg-card p-2.5 has-checked:border-fill"
          >
            <input
              id={`${group}-${which}`}
              type="radio"
              name={group}
              checked={choice === which}
              onChange={() => choose(which)}
              className="mt-0.5 size-4.5 shrink-0 cursor-pointer accent-fill"
            />
            <span className="min-w-0 flex-1">
              <span className="block text-xs text-muted">{whose}</span>
              <Value text={text} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type ValuesProps = {
  title: string
  /** Each field with its value (`text`) and, below it, its other value (`note`). */
  fields: { name: string; label: string; text: string; note: string }[]
}

/** A list of fields with their values, below a title; nothing without fields. */
function Values({ title, fields }: ValuesProps) {
  if (fields.length === 0) return null
  return (
    <>
      <h3 className="mt-4 font-medium">{title}</h3>
      <dl className="mt-1 grid gap-x-3 gap-y-1 sm:grid-cols-[auto_1fr]">
        {fields.map(({ name, label, text, note }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="mb-1 min-w-0 sm:mb-0">
              <Value text={text} />
              <span title={note} className="line-clamp-2 text-xs text-muted [overflow-wrap:anywhere]">
                {note}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Value({ text }: { text: string }) {
  if (text === '') return <span className="text-muted italic">{t`empty`}</span>
  return (
    <span title={text} className="line-clamp-5 whitespace-pre-line [overflow-wrap:anywhere]">
      {text}
    </span>
  )
}
