import { Autocomplete } from '@base-ui/react/autocomplete'
import { t } from '@lingui/core/macro'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { cx } from '~/ui/cx'
import { Key } from '~/ui/Key'
import type { Entry, Group } from './entry'
import { SearchStatus } from './SearchStatus'
import { useGroups } from './useGroups'

export type PaletteProps = { onClose: () => void; onShortcuts: () => void }

/** The content of the command palette: a search field, and the pages, actions and records that match it. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const { groups, records, retry } = useGroups(text, onShortcuts)
  const choose = (entry: Entry) => {
    onClose()
    entry.choose()
  }
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={typed}
      // Ignores the change that Base UI makes when an entry is chosen: it would put the entry's title into the search
      // field.
      onValueChange={(next, { reason }) => reason !== 'item-press' && setTyped(next)}
      itemToStringValue={(entry: Entry) => entry.title}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex items-center border-b border-line pr-14 pl-4">
        <Search aria-hidden className="size-4.5 shrink-0 text-muted" />
        <Autocomplete.Input
          aria-label={t`Search screens, actions and records`}
          placeholder={t`Search screens, actions and records`}
          enterKeyHint="go"
          autoComplete="off"
          spellCheck={false}
          className="h-14 min-w-0 flex-1 bg-transparent px-3 text-base outline-none placeholder:text-muted max-sm:placeholder:text-sm focus-visible:outline-none"
        />
      </div>
      <Autocomplete.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain p-2 data-empty:flex-none data-empty:p-0">
        {(group: Group) => (
          <Autocomplete.Group key={group.title} items={group.items} className="not-last:mb-2">
            <Autocomplete.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted">
              {group.title}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(entry: Entry) => <Option key={entry.id} entry={entry} onChoose={choose} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <SearchStatus text={text} groups={groups} records={records} onRetry={retry} />
      <div className="flex items-center gap-4 border-t border-line px-4 py-2 text-xs text-muted max-md:hidden touch:hidden">
        <span aria-hidden className="flex items-center gap-1.5">
          <Key>↑</Key>
          <Key>↓</Key> {t`to choose`}
        </span>
        <span aria-hidden className="flex items-center gap-1.5">
          <Key>{t`Enter`}</Key> {t`to open`}
        </span>
        <button
          type="button"
          onClick={onShortcuts}
          className="ml-auto min-h-6 rounded hover:text-ink hover:underline"
        >
          {t`Keyboard shortcuts`}
        </button>
      </div>
    </Autocomplete.Root>
  )
}

type OptionProps = { entry: Entry; onChoose: (entry: Entry) => void }

function Option({ entry, onChoose }: OptionProps) {
  const { title, note, icon: Icon } = entry
  return (
    <Autocomplete.Item
      value={entry}
      onClick={() => onChoose(entry)}
      // The transparent outline becomes visible in forced-colors mode.
      className="option group scroll-my-2 outline-transparent data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-solid"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted group-data-highlighted:text-accent-text" />
      {/* The note is shortened before the title; on a phone it is below the title. */}
      <span className="flex min-w-0 flex-1 items-center gap-x-2.5 max-md:flex-col max-md:items-stretch">
        <span className={cx('truncate', note && 'md:max-w-[70%] md:shrink-0')}>{title}</span>
        {note && (
          <span className="min-w-0 truncate text-xs text-muted group-data-highlighted:text-accent-text md:ml-auto">
            {note}
          </span>
        )}
      </span>
    </Autocomplete.Item>
  )
}
