import { useQueryClient } from '@tanstack/react-query'
import { refusalMessage } from '#backend/errors.ts'
import { useUser } from '#session/session.ts'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { importCopy } from './copy.ts'
import { undoImport } from './imports.ts'

/** Undoes an import, and says so in a toast. */
export function useUndo(onUndone: () => void = () => {}) {
  const user = useUser()
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) =>
    showFailure({
      title: importCopy.undoFailedTitle,
      description: refusalMessage(error, importCopy.failedText),
    }),
  )
  const undo = (id: string) =>
    run(async () => {
      await undoImport(client, { userId: user.id, id })
      showToast({ title: importCopy.undoneTitle, description: importCopy.undoneText })
      onUndone()
    })
  return { isBusy, undo }
}
