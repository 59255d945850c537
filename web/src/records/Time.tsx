import type { ReactNode } from 'react'
import { exactMoment, moment } from '~/lib/format'

type Props = { at: string; className?: string; children?: ReactNode }

/** A timestamp: by default date and time, to the second in its tooltip. */
export const Time = ({ at, className, children = moment(at) }: Props) => (
  <time dateTime={at} title={exactMoment(at)} className={className}>
    {children}
  </time>
)
