import { createElement, useCallback, useState, type ComponentType, type ReactNode } from 'react'
import { failureMessage, type LazyCode } from '#ui/lazy/lazy.ts'
import { uiCopy } from '#ui/copy.ts'
import { showFailure } from '#ui/toast/toast-store.ts'

type Closable = { onClose: () => void }

type Given<Props> = Omit<Props, 'onClose'>

type Draw<Props> = (live: Partial<Given<Props>> | undefined) => ReactNode

/**
 * Loads a dialog's code when the dialog opens, because only a few users open the dialog. Returns a function that opens
 * the dialog, and the element to render. An open dialog keeps the props with which it was opened, except `live` props,
 * which always have their latest values.
 */
export function useLazyDialog<Props extends Closable>(
  { load }: LazyCode<ComponentType<Props>>,
  live?: Partial<Given<Props>>,
): {
  /** `onMissing` is called if the code cannot be loaded, after the user has been notified. */
  open: (props: Given<Props>, onMissing?: () => void) => void
  dialog: ReactNode
} {
  const [draw, setDraw] = useState<Draw<Props> | null>(null)
  const open = useCallback(
    (props: Given<Props>, onMissing?: () => void) => {
      load().then(
        (Dialog) => {
          const drawThis: Draw<Props> = (now) => createElement(Dialog, { ...props, ...now, onClose } as Props)
          // A late answer closes only the dialog that sent the request, not a dialog that was opened in the meantime.
          const onClose = () => setDraw((drawn: Draw<Props> | null) => (drawn === drawThis ? null : drawn))
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
  return { open, dialog: draw?.(live) }
}
