import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { core, type Theme } from '~/core'
import { textOf } from '~/language'
import { saveAccentColor, setAccentColor, useAccentColor } from '~/lib/theme'
import { toast } from '~/ui/Toasts'

/**
 * Returns the accent colour and functions to choose it. A chosen colour is applied immediately and saved in the
 * background. While one is being saved, only the last of further choices, for example by the arrow keys, is saved after
 * it.
 */
export function useTheme(initial: Theme) {
  const [theme, setTheme] = useState(initial)
  const [forAll, setForAll] = useState(false)
  const accent = useAccentColor() || core.defaultColor()
  // The last choice could not be saved. Then the default colour is shown, and no colour is marked as chosen.
  const [hasFailed, setHasFailed] = useState(false)
  const stored = useRef(initial)
  const waiting = useRef<{ color: string; scope: string }>(undefined)
  const isSaving = useRef(false)

  const save = async () => {
    isSaving.current = true
    try {
      let saved: Theme | undefined
      while (waiting.current) {
        const next = waiting.current
        waiting.current = undefined
        saved = stored.current = (await saveAccentColor(next)).data
        // If the user has a colour of their own, it overrides the corporation's, so it is set too.
        if (next.scope === 'corporation' && saved.own && saved.own !== next.color)
          saved = stored.current = (await saveAccentColor({ ...next, scope: 'user' })).data
      }
      if (!saved) return
      setHasFailed(false)
      setTheme(saved)
      void setAccentColor(saved.color)
      toast.success(textOf(core.texts().theme.applied), { id: 'theme' })
    } catch {
      waiting.current = undefined
      setHasFailed(true)
      setTheme(stored.current)
      void setAccentColor(core.defaultColor())
      toast.error(t`Failed to apply theme color`)
    } finally {
      isSaving.current = false
    }
  }
  const choose = (color: string) => {
    setHasFailed(false)
    const chosen = color === core.noColor() ? '' : color
    if (forAll) setTheme({ ...theme, corporation: chosen })
    void setAccentColor(chosen || (!forAll && theme.corporation) || core.defaultColor())
    waiting.current = { color, scope: forAll ? 'corporation' : 'user' }
    if (!isSaving.current) void save()
  }
  return {
    forAll,
    setForAll,
    /** The chosen colour of the corporation or, unless `forAll`, of the user. Undefined after saving has failed. */
    color: hasFailed && accent === core.defaultColor() ? undefined : forAll ? theme.corporation : accent,
    choose,
    /** Whether the corporation or, unless `forAll`, the user has a colour that `reset` can remove. */
    hasColor: Boolean(forAll ? theme.corporation : theme.own),
    /** Applies the corporation's colour or, if it has none or `forAll`, the default colour. */
    reset: () => choose(core.noColor()),
    /** Applies a colour without saving it, while the user tries colours. */
    preview: (color: string) => void setAccentColor(color),
  }
}
