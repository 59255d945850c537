import { t } from '@lingui/core/macro'
import { Monitor, Moon, Sun } from 'lucide-react'

export const schemes = [
  { value: 'light', label: t`Light`, icon: Sun },
  { value: 'dark', label: t`Dark`, icon: Moon },
  { value: 'system', label: t`System`, icon: Monitor },
] as const
