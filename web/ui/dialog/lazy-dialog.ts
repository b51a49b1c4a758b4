import { createElement, useCallback, useState, type ComponentType, type ReactNode } from 'react'
import { uiCopy } from '#ui/copy.ts'
import { showFailure } from '#ui/toast/toast-store.ts'

type Closable = { onClose: () => void }

/** A dialog whose code is fetched when it opens, because few people open it. Returns the opener and the element to draw. */
export function useLazyDialog<Props extends Closable>(
  fetchDialog: () => Promise<ComponentType<Props>>,
): {
  /** `onMissing` is called where the code did not load, after the person has been notified. */
  open: (props: Omit<Props, 'onClose'>, onMissing?: () => void) => void
  dialog: ReactNode
} {
  const [draw, setDraw] = useState<(() => ReactNode) | null>(null)
  const open = useCallback(
    (props: Omit<Props, 'onClose'>, onMissing?: () => void) => {
      fetchDialog().then(
        (Dialog) => {
          const drawThis = () => createElement(Dialog, { ...props, onClose } as Props)
          // An answer that comes late closes the dialog that asked, not one that was opened since.
          const onClose = () => setDraw((drawn) => (drawn === drawThis ? null : drawn))
          setDraw(() => drawThis)
        },
        () => {
          showFailure({ title: uiCopy.openFailedTitle, description: uiCopy.openFailedText })
          onMissing?.()
        },
      )
    },
    [fetchDialog],
  )
  return { open, dialog: draw?.() }
}
