import { type ReactNode, useState } from 'react'

type Props = {
  src?: string
  alt: string
  loading?: 'lazy'
  className?: string
  children: ReactNode
}

export function ImageWithFallback({ src, alt, loading, className, children }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!src || src === broken) return children
  return (
    <img
      src={src}
      alt={alt}
      loading={loading}
      decoding="async"
      className={className}
      onError={() => setBroken(src)}
    />
  )
}
