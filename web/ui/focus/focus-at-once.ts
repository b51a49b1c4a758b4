/** As a `ref`: for what takes the place of something that had the focus. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus()
}
