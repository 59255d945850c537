import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type ColumnMapping, core, type FieldError, type FileHead, type ModelColumn } from '~/core'
import { sentenceOf } from '~/lib/problem'
import { type Reader, startReader } from './reader'
import { type Check, useCheck } from './useCheck'

/** A file that the engine has opened. */
export type OpenFile = { file: File; head: FileHead }

export type Import = {
  /** The name of the file that is being read. */
  opening: string | undefined
  opened: OpenFile | undefined
  /** Why the file that was chosen last can't be read. */
  refusal: string | undefined
  mapping: ColumnMapping[]
  mappingErrors: FieldError[]
  check: Check
  choose: (file: File) => void
  map: (column: number, to: ModelColumn) => void
  problems: Reader['problems']
  /** Sends the file; gives the id of the import that has begun. */
  submit: () => Promise<string>
}

/** Everything that the wizard knows before the file is sent. The worker lives as long as the wizard. */
export function useImport(): Import {
  const reader = useRef<Reader>(null)
  useEffect(() => {
    reader.current = startReader()
    return () => reader.current?.close()
  }, [])

  const [opening, setOpening] = useState<string>()
  const [opened, setOpened] = useState<OpenFile>()
  const [refusal, setRefusal] = useState<string>()
  const [mapping, setMapping] = useState<ColumnMapping[]>([])
  const latest = useRef<File>(null)

  const choose = useCallback(async (file: File) => {
    latest.current = file
    setOpening(file.name)
    setOpened(undefined)
    setRefusal(undefined)
    if (!reader.current?.isReady()) {
      // A file that is still being read or checked would hold this one up.
      reader.current?.close()
      reader.current = startReader()
    }
    try {
      const head = await reader.current.open(file)
      if (latest.current !== file) return
      // Drawn in slices, so that a wide table doesn't hold the page up.
      startTransition(() => {
        setOpened({ file, head })
        setMapping(head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn })))
        setOpening(undefined)
      })
    } catch (error) {
      if (latest.current !== file) return
      setRefusal(sentenceOf(error, core.texts().import.previewFailed))
      setOpening(undefined)
    }
  }, [])

  const map = useCallback((column: number, modelColumn: ModelColumn) => {
    setMapping(old => old.map((entry, index) => (index === column ? { ...entry, modelColumn } : entry)))
  }, [])

  const mappingErrors = useMemo(
    () => (opened ? core.checkMapping(opened.head.fileColumns, mapping) : []),
    [opened, mapping],
  )
  const run = useCallback((plan: ColumnMapping[], progress: (checked: number) => void) => {
    if (!reader.current) throw new Error('The wizard is closed')
    return reader.current.check(plan, progress)
  }, [])
  const check = useCheck(opened, mapping, mappingErrors.length === 0, run)

  const problems = useCallback<Reader['problems']>((from, count) => {
    if (!reader.current) throw new Error('The wizard is closed')
    return reader.current.problems(from, count)
  }, [])
  const submit = async () => {
    if (!reader.current || !opened) throw new Error('There is no file to send')
    const { file } = opened
    // A file that was saved again since can't be read any more, and isn't what was checked.
    await file
      .slice(0, 1)
      .arrayBuffer()
      .catch(() => Promise.reject(new Error(core.texts().import.fileChanged)))
    const send = async () => reader.current?.submit(await core.accessToken(), file, mapping)
    let sent = await send()
    if (sent?.problem?.status === 401) {
      // Any call finds out whether the session goes on; if not, it says so itself.
      await core.getProfile()
      sent = await send()
    }
    if (sent?.problem?.status === 403) core.forbidden()
    if (sent?.reply) return sent.reply.sessionId
    throw new Error(sent?.problem?.message ?? 'The wizard is closed')
  }

  return {
    opening,
    opened,
    refusal,
    mapping,
    mappingErrors,
    check,
    choose: file => void choose(file),
    map,
    problems,
    submit,
  }
}
