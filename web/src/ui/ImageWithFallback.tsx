import { type ReactNode, useState } from 'react'

type Props = {
  /** URL of the image; empty or absent if there is none. */
  src?: string
  alt: string
  className?: string
  /** Shown if there is no image or it fails to load. */
  children: ReactNode
}

/** An image with a fallback. */
export function ImageWithFallback({ src, alt, className, children }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!src || src === broken) return children
  return <img src={src} alt={alt} className={className} onError={() => setBroken(src)} />
}
