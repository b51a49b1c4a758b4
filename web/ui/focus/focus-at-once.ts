/** Focuses an element when it mounts, as its `ref`. For an element that replaces the focused one. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus()
}
