import { ImageOff } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from '~/ui/cx'
import { ImageWithFallback } from '~/ui/ImageWithFallback'

/** A photo of a vehicle, or an icon in its place if it failed to load. */
export function PhotoImage(image: ComponentProps<typeof ImageWithFallback>) {
  const { alt, className } = image
  return (
    <ImageWithFallback {...image}>
      <span className={cx('flex items-center justify-center text-muted', className)}>
        <ImageOff aria-hidden className="size-6" />
        {alt && <span className="sr-only">{alt}</span>}
      </span>
    </ImageWithFallback>
  )
}
