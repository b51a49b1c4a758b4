import { useEffect, useRef } from 'react'
import { Link } from '#ui/address/link.tsx'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { importCopy } from './copy.ts'
import type { PastImport } from './imports.ts'
import { useUndo } from './use-undo.ts'

/** The recorded import with its undo button. It takes the focus, because the button that was pressed is gone. */
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
