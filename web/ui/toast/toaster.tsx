import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { uiCopy } from '#ui/copy.ts'
import { useKeyDown } from '#ui/use-key-down.ts'
import { ToastCard } from './toast-card.tsx'
import { dismissToast, useShownToast } from './toast-store.ts'

/**
 * The one place where toasts appear: outside the page's root, so that a dialog does not make it inert.
 * Both live regions are there before any toast is, or the first one would go unheard. On a phone they
 * stand at the top, because dialogs are sheets at the foot; elsewhere at the left, as rows have their buttons at the
 * right. F8 goes to what a toast offers, from anywhere.
 */
export function Toaster() {
  const toast = useShownToast()
  const card = toast !== null && (
    <ToastCard key={toast.id} toast={toast} onDismiss={() => dismissToast(toast.id)} />
  )
  const region = useRef<HTMLElement>(null)
  // The region stands at the end of the page, too far to reach with the tab key in five seconds.
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
      className="pointer-events-none fixed inset-x-0 top-(--header-height) z-50 p-3 sm:top-auto sm:right-auto sm:bottom-(--bottom-bar-height) sm:w-96 sm:p-4 lg:bottom-0"
    >
      <div role="status">{!isFailure && card}</div>
      <div role="alert">{isFailure && card}</div>
    </section>,
    document.body,
  )
}
