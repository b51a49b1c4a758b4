import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { useKeyDown } from '#ui/use-key-down.ts'
import { useSafeClose } from './use-safe-close.ts'

type Props = {
  title: string
  description?: ReactNode
  /**
   * If true, the user can close the dialog only with a button in its content. Used for content that is shown only once.
   */
  isHeld?: boolean
  /**
   * Identifies the content. When `part` changes, the focus moves to the new content. The new fields' initial values do
   * not count as typed text.
   */
  part?: string
  /**
   * Whether the dialog has input that its fields do not show, such as an earlier step of a form. A string is the
   * question to ask before the dialog closes.
   */
  unsaved?: boolean | string
  onClose: () => void
  children: ReactNode
}

/**
 * A modal dialog, shown as a sheet at the bottom of a phone's screen and centred on larger screens. The dialog makes
 * the page's root inert. The browser's own modal dialog is not used, because its top layer would cover toasts and hide
 * them from screen readers. If text has been typed, the dialog asks for confirmation before it closes. The content
 * closes the dialog with `onClose`. If several dialogs are open, the last dialog receives keyboard input.
 */
export function Dialog({
  title,
  description,
  isHeld = false,
  part = '',
  unsaved = false,
  onClose,
  children,
}: Props) {
  const titleId = useId()
  const panel = useRef<HTMLDivElement>(null)
  useModal(panel, part)
  const close = useSafeClose({ panel, part, isHeld, unsaved, onClose })
  useKeyDown(({ key }) => {
    if (key === 'Escape' && isOnTop(panel.current)) close()
  })

  const closeFromBackdrop = (event: PointerEvent) => {
    if (event.target === event.currentTarget) close()
  }

  return createPortal(
    <div
      className="fade-enter fixed inset-0 z-40 flex items-end overflow-y-auto overscroll-contain justify-center bg-[rgb(8_14_26/0.55)] sm:items-center sm:p-6"
      onPointerDown={closeFromBackdrop}
    >
      <div
        ref={panel}
        role="dialog"
        aria-labelledby={titleId}
        className="sheet-enter max-h-[calc(100svh-2rem)] w-full overflow-y-auto overscroll-contain rounded-t-lg border border-line bg-raised pb-[env(safe-area-inset-bottom)] shadow-float sm:max-w-md sm:rounded-lg"
      >
        <header className="border-b border-line py-3 pl-5 wrap-anywhere sm:pl-6">
          <div className="flex items-start justify-between gap-4 pr-3">
            <h2 id={titleId} className="min-w-0 py-2 text-lg font-semibold">
              {title}
            </h2>
            {!isHeld && (
              <Button variant="muted" size="icon" aria-label={uiCopy.close} onClick={close}>
                <X aria-hidden="true" className="size-5" />
              </Button>
            )}
          </div>
          {description !== undefined && (
            <p className="-mt-1 pr-5 pb-2 text-sm text-muted sm:pr-6">{description}</p>
          )}
        </header>
        <div className="p-5 sm:p-6">{children}</div>
      </div>
    </div>,
    document.body,
  )
}

/**
 * Makes the page behind the dialog inert, moves the focus into the dialog, and restores the focus when the dialog
 * closes.
 */
function useModal(panel: { current: HTMLElement | null }, part: string): void {
  const opener = useRef<Element>(null)
  useLayoutEffect(() => {
    opener.current = document.activeElement
    return panel.current === null ? undefined : openModal(panel.current)
  }, [panel])
  useLayoutEffect(() => {
    const first = ['[data-first]', 'input:not([type=radio], :disabled), select, textarea', 'button']
      .map((selector) => panel.current?.querySelector<HTMLElement>(selector))
      .find(Boolean)
    first?.focus()
  }, [panel, part])
  // The effect is not a layout effect, because focus listeners would miss the focus event while React commits.
  useEffect(
    () => () => {
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
    [],
  )
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
