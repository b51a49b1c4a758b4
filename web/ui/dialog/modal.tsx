import { useEffect, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useKeyDown } from '#ui/use-key-down.ts'

type Props = {
  role: 'dialog' | 'alertdialog'
  /** The id of the title. */
  titleId: string
  panel: { readonly current: HTMLDivElement | null }
  /** When `part` changes, the focus moves to the new content. */
  part?: string
  /** Called when the user presses Escape or a place beside the panel. */
  onLeave: () => void
  children: ReactNode
}

/**
 * A panel above the page, shown as a sheet at the bottom of a phone's screen and centred on larger screens. The panel
 * makes the rest of the page inert. The browser's own modal dialog is not used, because its top layer would cover toasts
 * and hide them from screen readers. If several panels are open, the last panel receives keyboard input.
 */
export function Modal({ role, titleId, panel, part = '', onLeave, children }: Props) {
  useModal(panel, part)
  useKeyDown(({ key }) => {
    if (key === 'Escape' && isOnTop(panel.current)) onLeave()
  })
  const leaveFromBackdrop = (event: PointerEvent) => {
    if (event.target !== event.currentTarget) return
    // Without this, the browser would move the focus to the page after the focus has returned to the opener.
    event.preventDefault()
    onLeave()
  }
  return createPortal(
    <div
      className="fade-enter fixed inset-0 z-40 flex items-end overflow-y-auto overscroll-contain justify-center bg-[rgb(8_14_26/0.55)] sm:items-center sm:p-6"
      onPointerDown={leaveFromBackdrop}
    >
      <div
        ref={panel}
        role={role}
        aria-labelledby={titleId}
        className="sheet-enter max-h-[calc(100svh-2rem)] w-full overflow-y-auto overscroll-contain rounded-t-lg border border-line bg-raised pb-[env(safe-area-inset-bottom)] shadow-float sm:max-w-md sm:rounded-lg"
      >
        {children}
      </div>
    </div>,
    document.body,
  )
}

/**
 * Makes the page behind the dialog inert, moves the focus into the dialog, and restores the focus when the dialog
 * closes.
 */
function useModal(panel: { readonly current: HTMLElement | null }, part: string): void {
  const opener = useRef<Element>(null)
  useLayoutEffect(() => {
    opener.current = document.activeElement
    return panel.current === null ? undefined : openModal(panel.current)
  }, [panel])
  useLayoutEffect(() => {
    focusFirst(panel.current)
  }, [panel, part])
  // The effect is not a layout effect, because focus listeners would miss the focus event while React commits.
  useEffect(
    () => () => {
      if (opener.current instanceof HTMLElement) opener.current.focus()
      // The opener may be gone. A form that is being sent focuses its own field when the answer arrives.
      const below = panels.at(-1)
      const isLost = document.activeElement === document.body && !below?.querySelector('fieldset:disabled')
      if (isLost) focusFirst(below)
    },
    [],
  )
}

/** Focuses the first control of a panel. */
function focusFirst(panel: HTMLElement | null | undefined): void {
  const first = ['[data-first]', 'input:not([type=radio], :disabled), select, textarea', 'button']
    .map((selector) => panel?.querySelector<HTMLElement>(selector))
    .find(Boolean)
  first?.focus()
}

/** The open dialogs. The last dialog in the list is the topmost dialog. */
const panels: HTMLElement[] = []

/** Makes the page and every other dialog inert until the returned function is called. */
function openModal(panel: HTMLElement): () => void {
  panels.push(panel)
  settle()
  return () => {
    panels.splice(panels.indexOf(panel), 1)
    settle()
  }
}

function isOnTop(panel: HTMLElement | null): boolean {
  return panels.at(-1) === panel
}

function settle(): void {
  const root = document.getElementById('root')
  if (root !== null) root.inert = panels.length > 0
  for (const panel of panels) panel.inert = !isOnTop(panel)
}
