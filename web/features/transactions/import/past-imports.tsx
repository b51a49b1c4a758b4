import { useQuery } from '@tanstack/react-query'
import { formatDateTimeShort } from '#format/dates.ts'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { PastRow, PastUploads } from '#upload/past-uploads.tsx'
import { importCopy } from './copy.ts'
import { importsQuery, type PastImport } from './imports.ts'
import { useUndo } from './use-undo.ts'

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
  const ask = () => {
    if (window.confirm(importCopy.undoQuestion(entries))) undo(id)
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
        <Button variant="quiet" isBusy={isBusy} aria-label={importCopy.undoOf(when)} onClick={ask}>
          {importCopy.undo}
        </Button>
      ) : (
        <span className="text-sm text-muted">{importCopy.wasUndone}</span>
      )}
    </PastRow>
  )
}
