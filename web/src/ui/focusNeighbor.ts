/**
 * Before an item of a list is removed by a button in it, focuses the same button of the next item, or else of the one
 * before. Otherwise the focus would be lost with the item. Returns false if the item is the only one.
 */
export function focusNeighbor(button: Element): boolean {
  const item = button.closest('li, fieldset')
  const neighbor = [item?.nextElementSibling, item?.previousElementSibling].find(
    element => element?.tagName === item?.tagName,
  )
  const other = neighbor?.querySelector<HTMLElement>(':scope > button')
  other?.focus()
  return other != null
}
