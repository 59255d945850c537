import { useLists } from '~/records/useFields'

type Props = { country: string; number: string }

/** Shows a registration number like a number plate of its country; nothing if it is empty. */
export function Plate({ country, number }: Props) {
  const { rules } = useLists()
  return <ShownPlate country={country} number={rules ? rules.plateShown(country, number) : number} />
}

/** The same for a number that already has the blanks of a plate. */
export function ShownPlate({ country, number }: Props) {
  if (!number) return null
  return (
    <span className="inline-flex max-w-full overflow-hidden rounded border border-line bg-surface align-middle text-xs leading-5 font-semibold">
      <span className="flex items-center bg-[#0b3d91] px-1 text-[10px] text-white">{country}</span>{' '}
      <span className="truncate px-1.5 tracking-wide tabular-nums">{number}</span>
    </span>
  )
}
