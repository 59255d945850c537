// The memory of processes on Linux; 0 on other systems.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Returns a figure of `/proc/…/status`, summed over these processes, in kilobytes: `VmRSS` is the resident memory,
 * `VmHWM` its peak.
 */
export function kilobytes(processes, name) {
  if (!existsSync('/proc/self/status')) return 0
  const line = new RegExp(`^${name}:\\s+(\\d+)`, 'm')
  const of = id => Number(line.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0)
  return processes.reduce((sum, id) => sum + of(id), 0)
}

/** Resets the peak memory of these processes to their current resident memory, and returns that in kilobytes. */
export function resetPeak(processes) {
  if (existsSync('/proc/self/clear_refs')) {
    for (const id of processes) writeFileSync(`/proc/${id}/clear_refs`, '5')
  }
  return kilobytes(processes, 'VmRSS')
}
