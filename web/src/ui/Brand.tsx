/** The product's mark and name. */
export function Brand({ name }: { name: string }) {
  return (
    <span className="flex items-center gap-2.5">
      <span
        aria-hidden
        className="flex size-8 items-center justify-center rounded-lg bg-fill text-base font-semibold text-on-fill"
      >
        {[...name][0]?.toUpperCase()}
      </span>
      <span className="text-base font-semibold tracking-tight">{name}</span>
    </span>
  )
}
