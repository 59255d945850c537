// How much memory processes take up, as Linux knows it; nothing elsewhere.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** A line of `/proc/…/status` in kilobytes, of all these together: `VmRSS` what they take up now, `VmHWM` the most so far. */
export function kilobytes(processes, name) {
  if (!existsSync('/proc/self/status')) return 0
  const line = new RegExp(`^${name}:\\s+(\\d+)`, 'm')
  const of = id => Number(line.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0)
  return processes.reduce((sum, id) => sum + of(id), 0)
}

/** The most that they ever took up is what they take up now; gives that. */
export function beginAnew(processes) {
  if (existsSync('/proc/self/clear_refs')) {
    for (const id of processes) writeFileSync(`/proc/${id}/clear_refs`, '5')
  }
  return kilobytes(processes, 'VmRSS')
}
