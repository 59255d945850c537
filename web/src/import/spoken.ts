import { said } from '~/language'
import type { Checked, Kinds, Opened, Word } from './types'

/** What the worker says, in the language of the screen; the worker itself has none. */

const told = <T extends { message: string }>(one: T): T => ({ ...one, message: said(one.message) })

const kinds = ({ top, more }: Kinds): Kinds => ({ top: top.map(told), more })

export function spokenOpened(opened: Opened): Opened {
  if ('refused' in opened) return { refused: said(opened.refused) }
  if ('lost' in opened) return opened
  const { head, encodings } = opened
  return {
    head: spokenHead(head),
    encodings: encodings.map(encoding => ({ ...encoding, label: said(encoding.label) })),
  }
}

type Head = Extract<Opened, { head: unknown }>['head']

const spokenHead = (head: Head): Head => ({
  ...head,
  notices: head.notices.map(said),
  matches: head.matches.map(match => ({ ...match, reason: said(match.reason) })),
})

export function spokenChecked(checked: Checked): Checked {
  if ('refused' in checked) return { refused: said(checked.refused) }
  if ('anew' in checked) return { anew: spokenHead(checked.anew) }
  if (!('result' in checked)) return checked
  return { result: { ...checked.result, kinds: kinds(checked.result.kinds) } }
}

export const spokenWord = (word: Word): Word =>
  word.kind === 'progress' ? { ...word, kinds: kinds(word.kinds) } : word

export const spokenAll = <T extends { message: string }>(listed: T[] | undefined) => listed?.map(told)
