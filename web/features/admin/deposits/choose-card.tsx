import { useId, useState } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { newIdempotencyKey } from '#backend/functions.ts'
import { formatDateShort } from '#format/dates.ts'
import { uploadCopy } from '#upload/copy.ts'
import { FileDrop } from '#upload/file-drop.tsx'
import { fileBytesMax } from '#upload/size-limits.ts'
import type { Table } from '#upload/table.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { FormError } from '#ui/form/field.tsx'
import { useTask } from '#ui/use-task.ts'
import { batchCopy as copy } from './copy.ts'
import type { ColumnMapping } from '#features/admin/deposits/read/column-mapping.ts'
import { readPasted, readSheet, type ReadSheet } from '#features/admin/deposits/read/read-sheet.ts'

export type ChosenSheet = {
  /** Of this choice; a file may be chosen twice. */
  readonly key: string
  readonly name: string
  readonly table: Table
  readonly mapping: ColumnMapping
}

const accepted = '.csv,.tsv,.txt,text/csv'

/** Takes a file, or rows that were copied from a spreadsheet. */
export function ChooseCard({ onChosen }: { onChosen: (sheet: ChosenSheet) => void }) {
  const [error, setError] = useState<string>()
  const [pasted, setPasted] = useState('')
  const id = useId()
  const { isBusy, run } = useTask((failure) => {
    logQuietly(failure, 'file of a batch')
    setError(uploadCopy.unreadable)
  })
  const take = (name: string, read: ReadSheet) => {
    if (read.ok) return onChosen({ key: newIdempotencyKey(), name, ...read })
    setError(read.reason === 'long' ? copy.refusals.long(read.rows) : copy.refusals[read.reason])
  }
  const readFile = async (file: File) => {
    setError(undefined)
    if (file.size > fileBytesMax) return setError(copy.refusals.large)
    take(file.name, readSheet(new Uint8Array(await file.arrayBuffer())))
  }
  return (
    <Card title={copy.chooseTitle}>
      <div className="file-parts">
        <FileDrop
          formats={copy.formats}
          accept={accepted}
          isBusy={isBusy}
          onFile={(file) => run(() => readFile(file))}
        />
        <div>
          <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
            {copy.paste}
          </label>
          <textarea
            id={id}
            rows={4}
            value={pasted}
            spellCheck={false}
            placeholder={copy.pasteExample}
            className="batch-paste"
            onChange={({ target }) => setPasted(target.value)}
          />
          {pasted.trim() !== '' && (
            <Button
              variant="outline"
              className="mt-2"
              onClick={() => {
                setError(undefined)
                take(copy.pasted(formatDateShort(new Date().toISOString())), readPasted(pasted))
              }}
            >
              {copy.read}
            </Button>
          )}
        </div>
        <div role="alert">
          <FormError>{error}</FormError>
        </div>
        <p className="text-sm text-muted">{copy.privacy}</p>
      </div>
    </Card>
  )
}
