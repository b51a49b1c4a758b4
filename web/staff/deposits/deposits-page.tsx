import { Suspense, useId, useState } from 'react'
import { formatDateShort } from '#ui/format/dates.ts'
import { useGo, useSearchParameters } from '#ui/address/address.tsx'
import { lazyCode, lazyComponent } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { acceptedSheets, ChooseCard, type ChosenFile } from '#uploads/choose-card.tsx'
import type { Upload } from '#uploads/read-table.ts'
import { AdminHeading } from '#staff/admin-heading.tsx'
import type { ColumnMapping } from './deposits-from-rows.ts'
import type { Batch } from '#staff/batches/batches.ts'
import { depositsCopy as copy } from './copy.ts'
import { PastBatches } from '#staff/batches/past-batches.tsx'

/**
 * Page for depositing money to many customers, from a file or pasted rows. The browser parses and shows the rows, an
 * administrator orders them as one batch, and the database posts the batch.
 */
export function DepositsPage() {
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
  const repeat = async (batch: Batch) => {
    const sheetOf = await repetition.load()
    const lines = await sheetOf(batch)
    setIsPasted(false)
    setSheet(lines)
    go('/admin/abonos')
  }
  const read = async (rows: Upload, name?: string) => {
    setIsPasted(typeof rows === 'string')
    void openBatch.preload()
    const [readSheet] = await Promise.all([sheetReader.load(), preview.load()])
    return readSheet(rows, name)
  }
  const forget = ({ id: sentId }: Batch) => {
    setSent(sentId)
    setSheet(null)
    setPasted('')
  }
  return (
    <>
      <AdminHeading documentTitle={copy.documentTitle} section="batches" />
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {id !== null ? (
          <Suspense fallback={<Spinner />}>
            <openBatch.Component key={id} id={id} isNew={id === sent} onAnother={begin} onRepeat={repeat} />
          </Suspense>
        ) : sheet === null ? (
          <ChooseCard copy={copy} accept={acceptedSheets} read={read} onChosen={setSheet}>
            {(take) => <PastedRows rows={pasted} onChange={setPasted} onRead={take} />}
          </ChooseCard>
        ) : (
          <preview.Component
            key={sheet.key}
            sheet={sheet}
            back={isPasted ? copy.backToText : undefined}
            onAnother={begin}
            onSent={forget}
          />
        )}
        <PastBatches shown={id} />
      </div>
    </>
  )
}

const openBatch = lazyComponent(() => import('#staff/batches/batch-card.tsx'), 'OpenBatch')
const preview = lazyComponent(() => import('./preview.tsx'), 'DepositsPreview')
const repetition = lazyCode(() => import('./deposits.ts'), 'sheetOf')
const sheetReader = lazyCode(() => import('./read-sheet.ts'), 'readSheet')

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
