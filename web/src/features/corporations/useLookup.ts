import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type Corporation, core, type Organization } from '~/core'
import type { ListsCore } from '~/core/lists'
import { isGone, messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { toast } from '~/ui/Toasts'
import { ADDRESS, COMPANY, type CompanyField, type CorporationFormOf } from './form'

export type Note = {
  kind: 'info' | 'warning' | 'error'
  text: string
  /** The corporation that the text is about. */
  corporation?: Corporation
}

/** Returns the corporation with this number; undefined if there is none, or if the request fails. */
async function findCorporation(number: string): Promise<Corporation | undefined> {
  const query = { page: 1, limit: core.recordPageSize('corporations'), search: number }
  const found = await core.listRecords('corporations', query).catch(() => undefined)
  return found?.data.find(each => core.isSameOrganizationNumber(each.organization_number, number))
}

/** The id of the toast that reports a successful lookup. */
const FOUND = 'organization'

const NONE: ReadonlySet<CompanyField> = new Set()

/**
 * Looks up a company by the organization number in the form, and fills in the other fields. `present` is the stored
 * company of an edit form: its number and address are locked at first. After a lookup, the fields with valid values
 * that it found are locked instead, but not the number, so that another company can be looked up. Those values are
 * removed when the number changes. The user can unlock all fields.
 */
export function useLookup(form: CorporationFormOf, rules: ListsCore, present?: Organization) {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ number: string; notes: Note[] }>()
  const [lockedNow, setLocked] = useState<ReadonlySet<CompanyField>>()
  /** What the last lookup filled in, and the number that it belongs to. */
  const filledIn = useRef<Partial<Organization>>({})
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const locked =
    lockedNow ??
    (present ? new Set(['organization_number' as const, ...ADDRESS].filter(f => present[f])) : NONE)
  const texts = core.texts()
  const isPresent = (number: string) =>
    present !== undefined && core.isSameOrganizationNumber(number, present.organization_number ?? '')

  /** Empties the fields that a lookup filled in, unless the user has changed them since, and unlocks all fields. */
  const clear = () => {
    for (const field of COMPANY) {
      const value = filledIn.current[field]
      if (!value || form.getValues(field) !== value) continue
      form.setValue(field, '', { shouldDirty: true })
      form.clearErrors(field)
    }
    filledIn.current = {}
    setLocked(NONE)
  }
  const number = useWatch({ control: form.control, name: 'organization_number' })
  const clearIfOther = useEffectEvent((number: string) => {
    const { organization_number } = filledIn.current
    if (organization_number && !core.isSameOrganizationNumber(number, organization_number)) clear()
  })
  // Otherwise the details of one company would be saved under the number of another.
  useEffect(() => clearIfOther(number), [number])

  /** Fills in the fields that were found, and empties the others that an earlier lookup filled in. */
  const fill = (found: Partial<Organization>) => {
    clear()
    for (const field of COMPANY) {
      const value = found[field]
      if (!value) continue
      form.setValue(field, value, { shouldDirty: true })
      form.clearErrors(field)
    }
    if (found.organization_number) {
      form.setValue('organization_number', found.organization_number, { shouldDirty: true })
    }
    form.clearErrors('organization_number')
    filledIn.current = { ...found, organization_number: form.getValues('organization_number') }
    // Invalid values stay unlocked, so that the user can correct them.
    const invalid = rules.checkCorporationUpdate(form.getValues()).map(error => error.field)
    setLocked(new Set(COMPANY.filter(field => found[field] && !invalid.includes(field))))
  }

  /** Looks up a number, fills in the fields, and returns the notes to show. */
  const search = async (number: string): Promise<Note[]> => {
    const query = { organization_number: number }
    const isCurrent = () => isOpen.current && form.getValues('organization_number') === number
    // Whether the number is registered already. If that request fails, the lookup continues: saving checks it again.
    const taken = isPresent(number) ? false : core.organizationExists(query).catch(() => false)
    const notes: Note[] = []
    try {
      const found = await (present ? core.searchPublicOrganization(query) : core.searchOrganization(query))
      if (!isCurrent()) return []
      fill(found)
      toast.success(textOf(texts.organizations.found), { id: FOUND })
    } catch (thrown) {
      if (!isCurrent()) return []
      if (isGone(thrown)) {
        fill({})
        notes.push({ kind: 'warning', text: textOf(texts.organizations.notFound) })
      } else {
        notes.push({ kind: 'error', text: messageOf(thrown, t`Failed to search organization`) })
      }
    }
    // As it is registered, if it was found. The user may change the field meanwhile.
    const written = form.getValues('organization_number')
    if (await taken) {
      const corporation = await findCorporation(written)
      notes.push({ kind: 'warning', text: textOf(texts.corporations.numberTaken), corporation })
    }
    return notes
  }

  /** Looks up the number in the form. The number of the stored company is looked up only with `isForced`. */
  const lookUp = async (isForced = false) => {
    const number = form.getValues('organization_number')
    const [invalid] = core.checkOrganizationNumber({ organization_number: number })
    if (invalid) {
      form.setError(
        'organization_number',
        { type: 'rule', message: textOf(invalid.message) },
        { shouldFocus: true },
      )
      return
    }
    if (!isForced && isPresent(number)) {
      setResult({ number, notes: [{ kind: 'info', text: t`This is the current organization number` }] })
      return
    }
    setBusy(true)
    // The message of the lookup before would contradict that of a number that isn't found.
    toast.close(FOUND)
    const notes = await search(number)
    setBusy(false)
    setResult({ number, notes })
  }

  return {
    busy,
    locked,
    lookUp,
    /** Returns the notes of the last lookup if it was for this number; otherwise none. */
    notesOn: (number: string) =>
      result && core.isSameOrganizationNumber(result.number, number) ? result.notes : [],
    unlock: (fields?: readonly string[]) =>
      setLocked(fields ? new Set([...locked].filter(field => !fields.includes(field))) : NONE),
  }
}

export type Lookup = ReturnType<typeof useLookup>
