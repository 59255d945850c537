import { type ReactNode, useState } from 'react'

type Props = {
  /** The picture's link; empty or absent without one. */
  src?: string
  alt: string
  className?: string
  /** What stands there without a picture, and where it can't be shown. */
  children: ReactNode
}

/** A picture that may be missing or broken. */
export function Loadable({ src, alt, className, children }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!src || src === broken) return children
  return <img src={src} alt={alt} className={className} onError={() => setBroken(src)} />
}
