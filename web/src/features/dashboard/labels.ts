// Approximate widths of the charts' small font, in pixels.
const CHARACTER = 6.8
const NARROW = 3.2
/** The space between neighbouring labels, in pixels. */
const GAP = 4

const widthOf = (label: string) =>
  [...label].reduce((sum, character) => sum + (/[\s.,]/.test(character) ? NARROW : CHARACTER), 0)

/**
 * Returns labels without those that overlap a later one, each as undefined. Each label is centred in a slot
 * of `slot` pixels.
 */
function withoutOverlaps(labels: readonly string[], slot: number): (string | undefined)[] {
  let left = Number.POSITIVE_INFINITY
  return labels
    .map((label, index) => ({ label, middle: index * slot, half: widthOf(label) / 2 }))
    .reverse()
    .map(({ label, middle, half }) => {
      if (middle + half + GAP > left) return undefined
      left = middle - half
      return label
    })
    .reverse()
}

/**
 * Returns the labels of bars: `labels` if they fit beside each other, or the `shorter` ones. If those don't
 * fit either, the ones that overlap a later one are undefined.
 */
export function fitLabels(labels: readonly string[], shorter: readonly string[], slot: number) {
  const fitting = withoutOverlaps(labels, slot)
  return fitting.includes(undefined) ? withoutOverlaps(shorter, slot) : fitting
}
