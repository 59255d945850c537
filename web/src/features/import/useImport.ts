import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  type ColumnMapping,
  type Corrections,
  core,
  type Duplicates,
  type FieldError,
  type FileHead,
  type Message,
  type ModelColumn,
  type ReadOptions,
} from '~/core'
import type { SheetChoice, WorkerMessage } from '~/import/types'
import { useSession } from '~/lib/session'
import { type Change, changesFor, replaceChanges, toCorrections } from './changes'
import { type ChosenFields, type Draft, drafts } from './drafts'
import { type Check, useCheck } from './useCheck'
import { type ImportReader, type OpenFile, useReader } from './useReader'
import { type Remembered, rememberedFor, useRemembered } from './useRemembered'

export type Import = {
  /** The name of the file that is being opened; undefined if none is. */
  opening: string | undefined
  opened: OpenFile | undefined
  /** Why the chosen file can't be read, or can't be read with the chosen options. */
  refusal: Message | undefined
  /** The sheets to choose from, if the selected sheet can't be imported; otherwise undefined. */
  otherSheets: SheetChoice | undefined
  mapping: ColumnMapping[]
  mappingErrors: FieldError[]
  own: ChosenFields
  remembered: Remembered | undefined
  /** The changes that apply to the file as it is read now. */
  changes: Change[]
  duplicates: Duplicates
  corrections: Corrections
  check: Check
  /** Returns the client of the import worker. Starts a new worker if the last one has ended. */
  engine: ImportReader['engine']
  /** Whether the user has mapped columns or made corrections, which would be lost with the page. */
  isTouched: boolean
  choose: (file: File) => void
  /** Reads the same file again, with other options. */
  read: (options: ReadOptions) => void
  map: (column: string, to: ModelColumn) => void
  change: (next: (old: Change[]) => Change[]) => void
  setDuplicates: (duplicates: Duplicates) => void
  /** Deletes the draft of this file. */
  forget: () => void
}

/** Returns the read options that lead to this head again, without detection. */
const optionsOf = ({ encoding, delimiter, sheet, header }: FileHead): ReadOptions => ({
  encoding,
  delimiter,
  sheet,
  header,
})

const NO_MAPPING: ColumnMapping[] = []
const NO_CHANGES: Change[] = []
const NO_ERRORS: FieldError[] = []

/** Returns the state of the first two steps of the wizard, and functions that change it. */
export function useImport(): Import {
  const user = useSession().profile.id
  const [opening, setOpening] = useState<string>()
  const [opened, setOpened] = useState<OpenFile>()
  const [refused, setRefused] = useState<{ file: File; sentence: Message; sheets?: SheetChoice }>()
  const [own, setOwn] = useState<ChosenFields>({})
  // Of all sheets and columns, so that the changes are still there when the user returns to a sheet or a delimiter.
  const [allChanges, setAllChanges] = useState(NO_CHANGES)
  const [duplicates, setDuplicates] = useState<Duplicates>('import')
  const latest = useRef(0)

  const listener = useRef<(word: WorkerMessage) => void>(() => undefined)
  const {
    engine,
    open: openInWorker,
    check: checkInWorker,
  } = useReader(useCallback(word => listener.current(word), []))

  const open = useCallback(
    async (file: File, options: ReadOptions, draft?: Draft) => {
      latest.current += 1
      const mine = latest.current
      setOpening(file.name)
      setRefused(undefined)
      const answer = await openInWorker({ file, options })
      if (mine !== latest.current) return
      // A transition, so that rendering a wide table doesn't block the page.
      startTransition(() => {
        setOpening(undefined)
        if ('refused' in answer) {
          setRefused({ file, sentence: answer.refused, sheets: answer.sheets })
          return
        }
        const { head, encodings } = answer
        setOpened({ file, head, encodings, options: optionsOf(head), chosen: options })
        if (draft) {
          setOwn(draft.own)
          setDuplicates(draft.duplicates)
          // Drafts that an older version of the page has stored have only the changes of their sheet, without its name.
          setAllChanges(draft.changes.map(change => ({ sheet: head.sheet, ...change })))
        }
      })
    },
    [openInWorker],
  )
  const choose = useCallback(
    (file: File) => {
      const draft = drafts.of(user, file)
      setOpened(undefined)
      setOwn({})
      setAllChanges(NO_CHANGES)
      setDuplicates('import')
      void open(file, draft?.options ?? {}, draft)
    },
    [open, user],
  )
  const read = useCallback(
    (options: ReadOptions) => {
      const file = opened?.file ?? refused?.file
      if (file) void open(file, options)
    },
    [open, opened, refused],
  )

  const remembered = useRemembered(opened)
  const mapping = useMemo(
    () =>
      opened?.head.matches.map(({ fileColumn, modelColumn }) => ({
        fileColumn,
        modelColumn: own[fileColumn] ?? rememberedFor(remembered, fileColumn) ?? modelColumn,
      })) ?? NO_MAPPING,
    [opened, own, remembered],
  )
  const mappingErrors = useMemo(
    () => (opened ? core.checkMapping(opened.head.fileColumns, mapping) : NO_ERRORS),
    [opened, mapping],
  )
  const changes = useMemo(
    () => (opened ? changesFor(allChanges, opened.head) : NO_CHANGES),
    [allChanges, opened],
  )
  const change = useCallback<Import['change']>(
    next => opened && setAllChanges(old => replaceChanges(old, opened.head, next)),
    [opened],
  )
  const corrections = useMemo(() => toCorrections(changes, duplicates), [changes, duplicates])

  const run = useCallback<Parameters<typeof useCheck>[4]>(
    async (number, plan, patches) => {
      if (!opened) return { superseded: true }
      const { file, chosen } = opened
      const outcome = await checkInWorker({ file, options: chosen }, number, plan, patches)
      if (!('reread' in outcome)) return outcome
      const head = outcome.reread
      const options = optionsOf(head)
      const reread = { ...opened, head, options, chosen: { ...chosen, encoding: head.encoding } }
      setOpened(old => (old === opened ? reread : old))
      return { superseded: true }
    },
    [checkInWorker, opened],
  )
  const { check, onMessage } = useCheck(opened, mapping, mappingErrors.length === 0, corrections, run)
  useLayoutEffect(() => {
    listener.current = onMessage
  }, [onMessage])

  const isTouched = allChanges.length > 0 || duplicates !== 'import' || Object.keys(own).length > 0
  useEffect(() => {
    if (!opened) return
    // The draft of an untouched file is deleted, because it would bring back changes that the user has undone.
    if (isTouched) {
      drafts.keep(user, opened.file, { options: opened.chosen, own, changes: allChanges, duplicates })
    } else drafts.forget(user, opened.file)
  }, [user, opened, isTouched, own, allChanges, duplicates])

  return {
    opening,
    opened,
    refusal: refused?.sentence,
    otherSheets: opened ? undefined : refused?.sheets,
    mapping,
    mappingErrors,
    own,
    remembered,
    changes,
    duplicates,
    corrections,
    check,
    engine,
    isTouched,
    choose,
    read,
    map: useCallback((column, to) => setOwn(old => ({ ...old, [column]: to })), []),
    change,
    setDuplicates,
    forget: useCallback(() => opened && drafts.forget(user, opened.file), [user, opened]),
  }
}
