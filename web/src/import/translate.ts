import { said } from '~/language'
import type { Checked, Opened } from './types'

// Translates the worker's messages. Messages of problems are translated when they are shown, because the reason why a row
// was left out is stored, and the language may change before it is shown.

export function translateOpened(opened: Opened): Opened {
  if ('refused' in opened) return { ...opened, refused: said(opened.refused) }
  if ('lost' in opened) return opened
  const { head, encodings } = opened
  return {
    head: translateHead(head),
    encodings: encodings.map(encoding => ({ ...encoding, label: said(encoding.label) })),
  }
}

type Head = Extract<Opened, { head: unknown }>['head']

const translateHead = (head: Head): Head => ({
  ...head,
  notices: head.notices.map(said),
  matches: head.matches.map(match => ({ ...match, reason: said(match.reason) })),
})

export function translateChecked(checked: Checked): Checked {
  if ('refused' in checked) return { refused: said(checked.refused) }
  if ('reread' in checked) return { reread: translateHead(checked.reread) }
  return checked
}
