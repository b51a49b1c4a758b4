import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { uiCopy } from '#ui/copy.ts'
import { useKeyDown } from '#ui/use-key-down.ts'
import { ToastCard } from './toast-card.tsx'
import { dismissToast, useShownToast } from './toast-store.ts'

/**
 * The only place where toasts appear. It is outside the page's root, so that a dialog does not make it inert. Both live
 * regions exist before any toast does, because screen readers would miss a toast in a new region. On a phone toasts
 * appear above the bottom bar, in reach of the thumb. `base.css` moves them to the top while a dialog, the keyboard or
 * the button of an upload may be at the bottom. On larger screens they appear at the left, because rows have their
 * buttons at the right. F8 focuses the action of a toast from anywhere.
 */
export function Toaster() {
  const toast = useShownToast()
  const card = toast !== null && (
    <ToastCard key={toast.id} toast={toast} onDismiss={() => dismissToast(toast.id)} />
  )
  const region = useRef<HTMLElement>(null)
  // The region is at the end of the page, which the tab key cannot reach within five seconds.
  useKeyDown((event) => {
    const control = event.key === 'F8' ? region.current?.querySelector('button') : null
    if (control === null || control === undefined) return
    event.preventDefault()
    control.focus()
  })
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
