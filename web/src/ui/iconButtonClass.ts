export const iconButtonClass =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-subtle hover:text-ink touch:size-touch max-md:size-touch print:hidden'
