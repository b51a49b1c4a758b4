import { createElement, useCallback, useState, type ComponentType, type ReactNode } from 'react'
import { failureMessage, type LazyCode } from '#lazy/lazy.ts'
import { uiCopy } from '#ui/copy.ts'
import { showFailure } from '#ui/toast/toast-store.ts'

type Closable = { onClose: () => void }

/**
 * Loads a dialog's code when the dialog opens, because only a few users open it. Returns a function that opens the
 * dialog, and the element to render.
 */
export function useLazyDialog<Props extends Closable>({
  load,
}: LazyCode<ComponentType<Props>>): {
  /** `onMissing` is called if the code cannot be loaded, after the user has been notified. */
  open: (props: Omit<Props, 'onClose'>, onMissing?: () => void) => void
  dialog: ReactNode
} {
  const [draw, setDraw] = useState<(() => ReactNode) | null>(null)
  const open = useCallback(
    (props: Omit<Props, 'onClose'>, onMissing?: () => void) => {
      load().then(
        (Dialog) => {
          const drawThis = () => createElement(Dialog, { ...props, onClose } as Props)
          // An answer that arrives late closes only the dialog that sent the request.
          const onClose = () => setDraw((drawn) => (drawn === drawThis ? null : drawn))
          setDraw(() => drawThis)
        },
        (error: unknown) => {
          showFailure({ title: uiCopy.openFailedTitle, description: failureMessage(error, '') })
          onMissing?.()
        },
      )
    },
    [load],
  )
  return { open, dialog: draw?.() }
}
