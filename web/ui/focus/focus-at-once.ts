/** Focuses an element when it mounts. Used as the `ref` of an element that replaces the focused element. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus()
}
