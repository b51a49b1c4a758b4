import { useState } from 'react'
import { configuration } from '#backend/configuration.ts'
import { logQuietly } from '#backend/errors.ts'
import { newIdempotencyKey } from '#backend/functions.ts'
import { uploadCopy } from '#upload/copy.ts'
import { FileDrop } from '#upload/file-drop.tsx'
import { fileBytesMax } from '#upload/size-limits.ts'
import { Card } from '#ui/card.tsx'
import { FormError } from '#ui/form/field.tsx'
import { useTask } from '#ui/use-task.ts'
import { importCopy } from './copy.ts'
import type { ColumnMapping } from '#features/transactions/import/read/column-mapping.ts'
import type { ReadFile } from '#features/transactions/import/read/read-file.ts'
import type { Table } from '#upload/table.ts'

export type ChosenFile = {
  /** Of this choice; a file may be chosen twice. */
  readonly key: string
  readonly name: string
  readonly table: Table
  readonly mapping: ColumnMapping
}

const accepted = '.csv,.tsv,.txt,.ofx,.qfx,.qif,.xml,text/csv'

/** Takes a file, by choice or dropped, and reads it. */
export function FileCard({ onChosen }: { onChosen: (file: ChosenFile) => void }) {
  const [error, setError] = useState<string>()
  const { isBusy, run } = useTask((failure) => {
    logQuietly(failure, 'file of an import')
    setError(uploadCopy.unreadable)
  })
  const read = async (file: File) => {
    setError(undefined)
    const currency = configuration().displayCurrency
    // The formats are read by code that comes with the first file.
    const { readFile } = await import('#features/transactions/import/read/read-file.ts')
    if (file.size > fileBytesMax) return setError(importCopy.refusals.large)
    const answer = readFile(new Uint8Array(await file.arrayBuffer()), currency)
    if (answer.ok) return onChosen({ key: newIdempotencyKey(), name: file.name, ...answer })
    setError(refusalOf(answer, currency))
  }

  return (
    <Card title={importCopy.chooseTitle}>
      <div className="p-4 sm:p-6">
        <FileDrop
          formats={importCopy.formats}
          accept={accepted}
          isBusy={isBusy}
          onFile={(file) => run(() => read(file))}
        />
        <div role="alert" className="mt-3">
          <FormError>{error}</FormError>
        </div>
        <p className="text-sm text-muted">{importCopy.privacy}</p>
      </div>
    </Card>
  )
}

function refusalOf(answer: Exclude<ReadFile, { ok: true }>, own: string): string {
  const { refusals } = importCopy
  if (answer.reason === 'long') return refusals.long(answer.rows)
  return answer.reason === 'currency' ? refusals.currency(answer.currencies, own) : refusals[answer.reason]
}
