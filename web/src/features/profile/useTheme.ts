import { useRef, useState } from 'react'
import { core, type Theme } from '~/core'
import { useColor, wearColor } from '~/lib/theme'
import { toast } from '~/ui/Toasts'

/**
 * Choosing the accent's colour. It is worn at once and saved behind it; of several choices in quick succession, such as
 * by the arrow keys, only the last one is still to be saved once the one before has been.
 */
export function useTheme(initial: Theme) {
  const [theme, setTheme] = useState(initial)
  const [forAll, setForAll] = useState(false)
  const worn = useColor() || core.defaultColor()
  // The default colour is shown then, and it is not what the server has: no choice is the present one.
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
        // Everybody is oneself too; but an own colour would go before.
        if (saved.color !== next.color) saved = (await core.setTheme({ ...next, scope: 'user' })).data
      }
      if (!saved) return
      setHasFailed(false)
      setTheme(saved)
      void wearColor(saved.color)
      toast.success(core.texts().theme.applied)
    } catch {
      waiting.current = undefined
      setHasFailed(true)
      void wearColor(core.defaultColor())
      toast.error(core.texts().theme.applyFailed)
    } finally {
      isSaving.current = false
    }
  }
  return {
    forAll,
    setForAll,
    /** The colour that is chosen now: the corporation's, or the one that this person sees. None after a failed save. */
    color: hasFailed && worn === core.defaultColor() ? undefined : forAll ? theme.corporation : worn,
    choose(color: string) {
      setHasFailed(false)
      if (forAll) setTheme({ ...theme, corporation: color })
      void wearColor(color)
      waiting.current = { color, scope: forAll ? 'corporation' : 'user' }
      if (!isSaving.current) void save()
    },
    /** Shows a colour that isn't chosen yet, while it is being looked for. */
    tryOn: (color: string) => void wearColor(color),
  }
}
