import { useEffect, useRef, useState } from 'react'
import { core, type Organization } from '~/core'
import { messageOf, problemOf } from '~/lib/problem'
import { toast } from '~/ui/Toasts'
import { ADDRESS, COMPANY, type CompanyField, type CorporationFormOf } from './form'

export type Note = { kind: 'info' | 'warning' | 'error'; text: string }

const NONE: ReadonlySet<CompanyField> = new Set()

/**
 * Looks the company of the form up, and fills its fields in. What the directory knows is locked until the user unlocks it;
 * the number stays editable, for another look-up. `present` is the company that is edited, if one is.
 */
export function useLookup(form: CorporationFormOf, present?: Organization) {
  const [busy, setBusy] = useState(false)
  const [about, setAbout] = useState<{ number: string; notes: Note[] }>()
  const [chosen, setLocked] = useState<ReadonlySet<CompanyField>>()
  const filled = useRef<Partial<Organization>>({})
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const locked =
    chosen ?? (present ? new Set(['organization_number' as const, ...ADDRESS].filter(f => present[f])) : NONE)
  const texts = core.texts()
  const isPresent = (number: string) =>
    present !== undefined && core.isSameOrganizationNumber(number, present.organization_number ?? '')

  /** What an earlier look-up filled in belongs to another company. */
  const fill = (found: Partial<Organization>) => {
    const before = filled.current
    filled.current = {}
    for (const field of COMPANY) {
      const value = found[field]
      if (value) filled.current[field] = value
      else if (!before[field] || form.getValues(field) !== before[field]) continue
      form.setValue(field, value ?? '', { shouldDirty: true })
      form.clearErrors(field)
    }
    if (found.organization_number) {
      form.setValue('organization_number', found.organization_number, { shouldDirty: true })
    }
    form.clearErrors('organization_number')
    // What would be refused must stay open to be mended.
    const broken = core.checkCorporationUpdate(form.getValues()).map(error => error.field)
    setLocked(new Set(COMPANY.filter(field => found[field] && !broken.includes(field))))
  }

  const ask = async (number: string): Promise<Note[]> => {
    const query = { organization_number: number }
    const isAsked = () => isOpen.current && form.getValues('organization_number') === number
    // The save would tell too: a look-up doesn't fail for want of this answer.
    const taken = isPresent(number) ? false : core.organizationExists(query).catch(() => false)
    const notes: Note[] = []
    try {
      const found = await (present ? core.searchPublicOrganization(query) : core.searchOrganization(query))
      if (!isAsked()) return []
      fill(found)
      toast.success(texts.organizations.found)
    } catch (thrown) {
      if (!isAsked()) return []
      if (problemOf(thrown)?.status === 404) {
        fill({})
        notes.push({ kind: 'warning', text: texts.organizations.notFound })
      } else {
        notes.push({ kind: 'error', text: messageOf(thrown, texts.organizations.searchFailed) })
      }
    }
    if (await taken) notes.push({ kind: 'warning', text: texts.corporations.numberTaken })
    return notes
  }

  /** Looks up the number that is typed; the present one only when it has to be looked up again. */
  const lookUp = async (again = false) => {
    const number = form.getValues('organization_number')
    const [broken] = core.checkOrganizationNumber({ organization_number: number })
    if (broken) {
      form.setError('organization_number', { type: 'rule', message: broken.message }, { shouldFocus: true })
      return
    }
    if (!again && isPresent(number)) {
      setAbout({ number, notes: [{ kind: 'info', text: texts.organizations.current }] })
      return
    }
    setBusy(true)
    const notes = await ask(number)
    setBusy(false)
    setAbout({ number, notes })
  }

  return {
    busy,
    locked,
    lookUp,
    /** What there is to say about a number, as it was looked up. */
    notesOn: (number: string) =>
      about && core.isSameOrganizationNumber(about.number, number) ? about.notes : [],
    unlock: (fields?: readonly string[]) =>
      setLocked(fields ? new Set([...locked].filter(field => !fields.includes(field))) : NONE),
  }
}

export type Lookup = ReturnType<typeof useLookup>
