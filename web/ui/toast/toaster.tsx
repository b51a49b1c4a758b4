import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { uiCopy } from '#ui/copy.ts'
import { useKeyDown } from '#ui/use-key-down.ts'
import { ToastCard } from './toast-card.tsx'
import { dismissToast, useShownToast } from './toast-store.ts'

/**
 * The region in which all toasts appear. The region is outside the page's root, so that a dialog does not make it
 * inert. Both live regions exist before the first toast appears, because screen readers do not announce a toast in a
 * new region. On a phone, toasts appear above the bottom bar, within reach of the thumb. `base.css` moves the toasts to
 * the top while a dialog, the on-screen keyboard or an upload button may be at the bottom. On larger screens, toasts
 * appear on the left, because rows have their buttons on the right. F8 focuses the toast's button from anywhere on the
 * page, and the focus returns when the toast closes.
 */
export function Toaster() {
  const toast = useShownToast()
  const card = toast !== null && (
    <ToastCard key={toast.id} toast={toast} onDismiss={() => dismissToast(toast.id)} />
  )
  const region = useRef<HTMLElement>(null)
  /** The element that had the focus before F8. */
  const left = useRef<Element>(null)
  // A shortcut is needed because the region is at the end of the page. Keyboard users cannot reach the end with the Tab
  // key within five seconds.
  useKeyDown((event) => {
    const control = event.key === 'F8' ? region.current?.querySelector('button') : null
    if (control === null || control === undefined) return
    event.preventDefault()
    if (region.current?.contains(document.activeElement) !== true) left.current = document.activeElement
    control.focus()
  })
  useEffect(() => {
    if (document.activeElement === document.body && left.current instanceof HTMLElement) left.current.focus()
    left.current = null
  }, [toast?.id])
  const isFailure = toast?.variant === 'destructive'
  return createPortal(
    <section
      ref={region}
      aria-label={uiCopy.toastRegion}
      className="pointer-events-none fixed inset-x-0 bottom-(--bottom-bar-height) z-50 px-3 py-2 sm:right-auto sm:w-96 sm:p-4 lg:bottom-0"
    >
      <div role="status">{!isFailure && card}</div>
      <div role="alert">{isFailure && card}</div>
    </section>,
    document.body,
  )
}
