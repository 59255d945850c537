import { Monitor, Moon, Sun } from 'lucide-react'

/** The colour schemes there are to choose from. */
export const schemes = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const
