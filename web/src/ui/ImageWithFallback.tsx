import { type ReactNode, useState } from 'react'

type Props = {
  src?: string
  alt: string
  className?: string
  children: ReactNode
}

export function ImageWithFallback({ src, alt, className, children }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!src || src === broken) return children
  return <img src={src} alt={alt} className={className} onError={() => setBroken(src)} />
}
