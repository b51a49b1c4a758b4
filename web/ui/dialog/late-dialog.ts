import { createElement, useCallback, useState, type ComponentType, type ReactNode } from 'react'
import { uiCopy } from '#ui/copy.ts'
import { showFailure } from '#ui/toast/toast-store.ts'

type Closable = { onClose: () => void }

/** A dialog whose code is fetched when it is opened: few ask. Answers what opens it, and what is to be drawn. */
export function useLateDialog<Props extends Closable>(
  fetchDialog: () => Promise<ComponentType<Props>>,
): { open: (props: Omit<Props, 'onClose'>) => void; dialog: ReactNode } {
  const [opened, setOpened] = useState<((onClose: () => void) => ReactNode) | null>(null)
  const open = useCallback(
    (props: Omit<Props, 'onClose'>) => {
      fetchDialog().then(
        (Dialog) =>
          setOpened(() => (onClose: () => void) => createElement(Dialog, { ...props, onClose } as Props)),
        () => showFailure({ title: uiCopy.openFailedTitle, description: uiCopy.openFailedText }),
      )
    },
    [fetchDialog],
  )
  return { open, dialog: opened?.(() => setOpened(null)) }
}
