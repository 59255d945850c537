import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { core, type Theme } from '~/core'
import { textOf } from '~/language'
import { setAccentColor, useAccentColor } from '~/lib/theme'
import { toast } from '~/ui/Toasts'

/**
 * Chooses the accent colour. It is applied immediately and saved in the background. Of several quick choices, for
 * example by the arrow keys, only the last is saved after the one in progress.
 */
export function useTheme(initial: Theme) {
  const [theme, setTheme] = useState(initial)
  const [forAll, setForAll] = useState(false)
  const accent = useAccentColor() || core.defaultColor()
  // Saving failed: the default colour is shown, and no choice is marked as the saved one.
  const [hasFailed, setHasFailed] = useState(false)
  const waiting = useRef<{ color: string; scope: string }>(undefined)
  const isSaving = useRef(false)

  const save = async () => {
    isSaving.current = true
    try {
      let saved: Theme | undefined
      while (waiting.current) {
        const next = waiting.current
        waiting.current = undefined
        saved = (await core.setTheme(next)).data
        // The user's own colour overrides the corporation's, so it is set too.
        if (saved.color !== next.color) saved = (await core.setTheme({ ...next, scope: 'user' })).data
      }
      if (!saved) return
      setHasFailed(false)
      setTheme(saved)
      void setAccentColor(saved.color)
      toast.success(textOf(core.texts().theme.applied))
    } catch {
      waiting.current = undefined
      setHasFailed(true)
      void setAccentColor(core.defaultColor())
      toast.error(t`Failed to apply theme color`)
    } finally {
      isSaving.current = false
    }
  }
  return {
    forAll,
    setForAll,
    /** The selected colour: the corporation's or the user's. Undefined after a failed save. */
    color: hasFailed && accent === core.defaultColor() ? undefined : forAll ? theme.corporation : accent,
    choose(color: string) {
      setHasFailed(false)
      if (forAll) setTheme({ ...theme, corporation: color })
      void setAccentColor(color)
      waiting.current = { color, scope: forAll ? 'corporation' : 'user' }
      if (!isSaving.current) void save()
    },
    /** Previews a colour that isn't chosen yet. */
    preview: (color: string) => void setAccentColor(color),
  }
}
