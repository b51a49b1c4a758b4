import { FileUp } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { Card } from '#ui/card.tsx'
import { FormError } from '#ui/form/field.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useTask } from '#ui/use-task.ts'
import { importCopy } from './copy.ts'
import type { Layout } from './read/layout.ts'
import type { Table } from './read/table.ts'

export type ChosenFile = {
  /** Of this choice; a file may be chosen twice. */
  readonly key: string
  readonly name: string
  readonly table: Table
  readonly layout: Layout
}

const accepted = '.csv,.tsv,.txt,.ofx,.qfx,.qif,.xml,text/csv'

/** Takes a file, by choice or dropped, and reads it. */
export function FileCard({ onChosen }: { onChosen: (file: ChosenFile) => void }) {
  const [error, setError] = useState<string>()
  const [isOver, setIsOver] = useState(false)
  const { isBusy, run } = useTask((failure) => {
    logQuietly(failure, 'file of an import')
    setError(importCopy.refusals.unreadable)
  })
  const read = async (file: File) => {
    setError(undefined)
    // The formats are read by code that comes with the first file.
    const { fileBytesMax, readFile } = await import('./read/read-file.ts')
    if (file.size > fileBytesMax) return setError(importCopy.refusals.large)
    const answer = readFile(new Uint8Array(await file.arrayBuffer()))
    if (answer.ok) return onChosen({ key: crypto.randomUUID(), name: file.name, ...answer })
    const { refusals } = importCopy
    setError(answer.reason === 'long' ? refusals.long(answer.rows) : refusals[answer.reason])
  }
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file !== undefined) run(() => read(file))
  }
  const drag = (event: DragEvent, over: boolean) => {
    event.preventDefault()
    setIsOver(over)
  }

  return (
    <Card title={importCopy.chooseTitle}>
      <div className="p-4 sm:p-6">
        <label
          className="import-drop"
          data-over={isOver || undefined}
          onDragEnter={(event) => drag(event, true)}
          onDragOver={(event) => drag(event, true)}
          onDragLeave={(event) => drag(event, false)}
          onDrop={(event) => {
            drag(event, false)
            take(event.dataTransfer.files)
          }}
        >
          {isBusy ? (
            <Spinner label={importCopy.reading} />
          ) : (
            <FileUp aria-hidden="true" className="size-6 text-primary" strokeWidth={1.75} />
          )}
          <span>
            <span className="font-semibold text-primary">{importCopy.choose}</span>{' '}
            <span className="import-pointer text-muted">{importCopy.orDrop}</span>
          </span>
          <span className="text-sm text-muted">{importCopy.formats}</span>
          <input
            type="file"
            accept={accepted}
            className="sr-only"
            disabled={isBusy}
            onChange={({ target }) => {
              take(target.files)
              // The same file may be corrected and chosen again.
              target.value = ''
            }}
          />
        </label>
        <div role="alert" className="mt-3">
          <FormError>{error}</FormError>
        </div>
        <p className="text-sm text-muted">{importCopy.privacy}</p>
      </div>
    </Card>
  )
}
