import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { showRefusal } from '#api/refusals.ts'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { Link } from '#ui/address/link.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useQuestion } from '#ui/dialog/use-question.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { PastRow, PastUploads } from '#uploads/past-uploads.tsx'
import { importCopy } from './copy.ts'
import { importsQuery, undoImport, type PastImport } from './imports.ts'

/**
 * The import that was just recorded, with an undo button. The card takes the focus, because the button that was pressed
 * no longer exists.
 */
export function DoneCard({ imported, onAnother }: { imported: PastImport; onAnother: () => void }) {
  const { isBusy, undo } = useUndo(onAnother)
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    sentence.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return (
    <Card title={importCopy.doneTitle}>
      <div className="file-parts">
        <p ref={sentence} tabIndex={-1}>
          {importCopy.done(imported.entries)}
          <MoneyText className="font-semibold">{displayedMoney(imported.amount)}</MoneyText>
        </p>
        <div className="flex flex-wrap gap-3">
          <Link to="/transacciones" className={buttonClass()}>
            {importCopy.see}
          </Link>
          <Button variant="outline" isBusy={isBusy} onClick={() => undo(imported.id)}>
            {importCopy.undo}
          </Button>
          <Button variant="quiet" disabled={isBusy} onClick={onAnother}>
            {importCopy.importAnother}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** The latest imports, each with an undo button. */
export function PastImports() {
  const user = useUser()
  const { data: imports = [] } = useQuery(importsQuery(user.id))
  return (
    <PastUploads title={importCopy.pastTitle} rows={imports}>
      {(each) => <ImportRow key={each.id} imported={each} />}
    </PastUploads>
  )
}

function ImportRow({ imported: { id, created_at, entries, amount, undone_at } }: { imported: PastImport }) {
  const { isBusy, undo } = useUndo()
  const when = formatDateTimeShort(created_at)
  const { ask, question } = useQuestion()
  const askAndUndo = async () => {
    if (await ask({ text: importCopy.undoQuestion(entries), confirm: importCopy.undo })) undo(id)
  }
  return (
    <PastRow
      name={<span className="block">{when}</span>}
      details={
        <>
          {`${importCopy.times(entries)} · `}
          <MoneyText className="figures">{displayedMoney(amount)}</MoneyText>
        </>
      }
    >
      {undone_at === null ? (
        <Button
          variant="quiet"
          isBusy={isBusy}
          aria-label={importCopy.undoOf(when)}
          onClick={() => void askAndUndo()}
        >
          {importCopy.undo}
        </Button>
      ) : (
        <span className="text-sm text-muted">{importCopy.wasUndone}</span>
      )}
      {question}
    </PastRow>
  )
}

/** Undoes an import, and shows the result in a toast. */
function useUndo(onUndone: () => void = () => {}) {
  const user = useUser()
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, {
      name: 'undo of an import',
      title: importCopy.undoFailedTitle,
      refusals: { otherwise: importCopy.failedText },
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
