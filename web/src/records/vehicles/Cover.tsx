import { Car } from 'lucide-react'
import type { Vehicle } from '~/core'
import { cx } from '~/ui/cx'
import { ImageWithFallback } from '~/ui/ImageWithFallback'

/**
 * The first photo of a vehicle, small, or an icon if it has none. Without a text, because the vehicle's name is beside
 * it.
 */
export function Cover({ vehicle, className }: { vehicle: Pick<Vehicle, 'photos'>; className: string }) {
  return (
    <span
      className={cx(
        'flex shrink-0 items-center justify-center overflow-hidden rounded bg-subtle text-muted',
        className,
      )}
    >
      <ImageWithFallback
        src={vehicle.photos[0]?.thumbnail}
        alt=""
        loading="lazy"
        className="size-full object-cover"
      >
        <Car aria-hidden className="size-4" />
      </ImageWithFallback>
    </span>
  )
}
