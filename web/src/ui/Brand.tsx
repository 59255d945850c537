import { cx } from './cx'
import { ImageWithFallback } from './ImageWithFallback'

type BrandProps = {
  name: string
  /** On a tablet, whose header has no space for the name, only the first letter is shown. */
  isShort?: boolean
}

export function Brand({ name, isShort }: BrandProps) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span
        aria-hidden
        className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-fill text-base font-semibold text-on-fill"
      >
        {[...name][0]?.toUpperCase()}
      </span>
      <span
        title={name}
        className={cx('truncate text-base font-semibold tracking-tight', isShort && 'md:max-lg:sr-only')}
      >
        {name}
      </span>
    </span>
  )
}

type Props = BrandProps & {
  corporation: string
  logo?: string
}

/** The corporation's logo, or the product's brand if there is no logo or it fails to load. */
export function CorporationBrand({ name, isShort, corporation, logo }: Props) {
  return (
    <ImageWithFallback
      src={logo}
      alt={corporation}
      // Most logos are designed for a white background, so they get one in the dark scheme, too.
      className="max-h-9 max-w-36 min-w-0 object-contain md:max-w-44 dark:rounded-md dark:bg-white dark:p-1"
    >
      <Brand name={name} isShort={isShort} />
    </ImageWithFallback>
  )
}
