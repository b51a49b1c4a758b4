import { useQuery } from '@tanstack/react-query'
import { formatDateTimeShort } from '#format/dates.ts'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { importCopy } from './copy.ts'
import { importsQuery, type PastImport } from './imports.ts'
import { useUndo } from './use-undo.ts'
import '#upload/upload.css'

/** The latest imports, each of which can be taken back. Renders nothing for an empty list. */
export function PastImports() {
  const user = useUser()
  const { data: imports = [] } = useQuery(importsQuery(user.id))
  if (imports.length === 0) return null
  return (
    <Card title={importCopy.pastTitle}>
      <ul>
        {imports.map((each) => (
          <PastRow key={each.id} imported={each} />
        ))}
      </ul>
    </Card>
  )
}

function PastRow({ imported: { id, created_at, entries, amount, undone_at } }: { imported: PastImport }) {
  const { isBusy, undo } = useUndo()
  const when = formatDateTimeShort(created_at)
  const ask = () => {
    if (window.confirm(importCopy.undoQuestion(entries))) undo(id)
  }
  return (
    <li className="file-past">
      <span className="min-w-0 flex-1">
        <span className="block">{when}</span>
        <span className="block text-sm text-muted">
          {`${importCopy.times(entries)} · `}
          <MoneyText className="figures">{displayedMoney(amount)}</MoneyText>
        </span>
      </span>
      {undone_at === null ? (
        <Button variant="quiet" isBusy={isBusy} aria-label={importCopy.undoOf(when)} onClick={ask}>
          {importCopy.undo}
        </Button>
      ) : (
        <span className="text-sm text-muted">{importCopy.wasUndone}</span>
      )}
    </li>
  )
}
