import { said } from '~/language'
import type { Checked, Opened } from './types'

// What the worker says, in the language of the screen; the worker itself has none. Problems stay as they are until they
// are shown: why a row was left out is kept over a reload, after which the page may be in another language.

export function spokenOpened(opened: Opened): Opened {
  if ('refused' in opened) return { ...opened, refused: said(opened.refused) }
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
  return checked
}
