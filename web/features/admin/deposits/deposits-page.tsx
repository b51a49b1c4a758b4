import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatDateShort } from '#format/dates.ts'
import { useGo, useSearchParameters } from '#ui/address/address.tsx'
import { lazyCode, lazyComponent } from '#lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { ChooseCard, type ChosenFile } from '#upload/choose-card.tsx'
import { AdminHeading } from '#features/admin/admin-heading.tsx'
import type { ColumnMapping } from '#features/admin/deposits/read/deposits-from-rows.ts'
import { OpenBatch } from './batch-card.tsx'
import { batchQuery, batchesQuery, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'
import { PastBatches } from './past-batches.tsx'

/**
 * Page for depositing money to many customers, from a file or pasted rows. The browser parses and shows the sheet, an
 * administrator orders it as one batch, and the database posts the batch.
 */
export function DepositsPage() {
  const client = useQueryClient()
  const go = useGo()
  const [address] = useSearchParameters()
  const [sheet, setSheet] = useState<ChosenFile<ColumnMapping> | null>(null)
  const [sent, setSent] = useState('')
  // The pasted text is kept during the preview, so that the user can go back and edit it.
  const [pasted, setPasted] = useState('')
  const [isPasted, setIsPasted] = useState(false)
  // The URL contains the batch id, so that the batch and its progress are still shown after a reload.
  const id = address.get('lote')
  const begin = () => {
    setSheet(null)
    go('/admin/abonos')
  }
  const repeat = (lines: ChosenFile<ColumnMapping>) => {
    setIsPasted(false)
    setSheet(lines)
    go('/admin/abonos')
  }
  const read = async (rows: Uint8Array | string) => {
    setIsPasted(typeof rows === 'string')
    const [readSheet] = await Promise.all([sheetReader.load(), preview.load()])
    return readSheet(rows)
  }
  const show = (batch: Batch) => {
    client.setQueryData(batchQuery(batch.id).queryKey, batch)
    void client.invalidateQueries({ queryKey: batchesQuery.queryKey, exact: true })
    setSent(batch.id)
    setSheet(null)
    setPasted('')
    go(`/admin/abonos?lote=${batch.id}`)
  }
  return (
    <>
      <AdminHeading documentTitle={copy.documentTitle} section="batches" />
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {id !== null ? (
          <OpenBatch key={id} id={id} isNew={id === sent} onAnother={begin} onRepeat={repeat} />
        ) : sheet === null ? (
          <ChooseCard copy={copy} accept=".csv,.tsv,.txt,text/csv" read={read} onChosen={setSheet}>
            {(take) => <PastedRows rows={pasted} onChange={setPasted} onRead={take} />}
          </ChooseCard>
        ) : (
          <preview.Component
            key={sheet.key}
            sheet={sheet}
            back={isPasted ? copy.backToText : undefined}
            onAnother={begin}
            onSent={show}
          />
        )}
        <PastBatches shown={id} />
      </div>
    </>
  )
}

const preview = lazyComponent(() => import('./preview.tsx'), 'DepositsPreview')
const sheetReader = lazyCode(() => import('#features/admin/deposits/read/read-sheet.ts'), 'readSheet')

/** Field for rows copied from a spreadsheet. */
function PastedRows({
  rows,
  onChange,
  onRead,
}: {
  rows: string
  onChange: (rows: string) => void
  onRead: (name: string, rows: string) => void
}) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {copy.paste}
      </label>
      <textarea
        id={id}
        rows={4}
        value={rows}
        spellCheck={false}
        placeholder={copy.pasteExample}
        className="batch-paste"
        onChange={({ target }) => onChange(target.value)}
      />
      {rows.trim() !== '' && (
        <Button
          variant="outline"
          className="mt-2"
          onClick={() => onRead(copy.pasted(formatDateShort(new Date().toISOString())), rows)}
        >
          {copy.read}
        </Button>
      )}
    </div>
  )
}
