import { type ComponentProps, createContext, useContext, useState } from 'react'

/** A number that changes whenever the images that failed to load are to load again. */
export const ImageAttempt = createContext(0)

type Props = ComponentProps<'img'> & { alt: string }

/** An image, or `children` if there is none or it failed to load. */
export function ImageWithFallback({ src, alt, children, ...image }: Props) {
  const attempt = useContext(ImageAttempt)
  const [failed, setFailed] = useState<{ src: string; attempt: number }>()
  if (!src || (src === failed?.src && attempt === failed.attempt)) return children
  return <img {...image} src={src} alt={alt} decoding="async" onError={() => setFailed({ src, attempt })} />
}
