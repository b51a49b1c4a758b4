import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { useKeyDown } from '#ui/use-key-down.ts'
import { isOnTop, openModal } from './open-dialogs.ts'
import { useSafeClose } from './use-safe-close.ts'

type Props = {
  title: string
  description?: ReactNode
  /** Only its own content closes it: for what is shown once. */
  isHeld?: boolean
  /** Key of the shown content. A new key moves the focus and resets the comparison for unsaved input. */
  part?: string
  onClose: () => void
  children: ReactNode
}

/**
 * A modal dialog: a sheet at the foot of a phone, centred above. It makes the page's root inert
 * instead of using the browser's modal dialog, whose top layer would hide the toasts and silence them. Every way of
 * leaving asks before it discards typed text; the content itself closes the dialog by `onClose`. The last of
 * several open dialogs has the keyboard.
 */
export function Dialog({ title, description, isHeld = false, part = '', onClose, children }: Props) {
  const titleId = useId()
  const panel = useRef<HTMLDivElement>(null)
  useModal(panel, part)
  const close = useSafeClose({ panel, part, isHeld, onClose })
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

/** Keeps the page behind out of reach, moves the focus in, and gives it back at the end. */
function useModal(panel: { current: HTMLElement | null }, part: string): void {
  const opener = useRef<Element>(null)
  useLayoutEffect(() => {
    opener.current = document.activeElement
    return panel.current === null ? undefined : openModal(panel.current)
  }, [panel])
  useLayoutEffect(() => {
    const firstControl = panel.current?.querySelector<HTMLElement>(
      'input:not([type=radio]), select, textarea',
    )
    ;(firstControl ?? panel.current?.querySelector<HTMLElement>('button'))?.focus()
  }, [panel, part])
  // Not while React draws, when what follows the focus would not hear of it.
  useEffect(
    () => () => {
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
    [],
  )
}
