import { useId, useState, type ReactNode } from 'react'
import { logQuietly } from '#api/errors.ts'
import { newIdempotencyKey } from '#api/repeatable.ts'
import { failureMessage } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { FormError } from '#ui/form/field.tsx'
import { useTask } from '#ui/use-task.ts'
import { refusedFileText } from './refused-file-text.ts'
import { uploadCopy } from './copy.ts'
import { FileDrop } from './file-drop.tsx'
import type { ReadTable, Upload } from './read-table.ts'
import type { Table } from './table.ts'

export type ChosenFile<Mapping> = {
  /** Distinguishes this choice from an earlier choice of the same file. */
  readonly key: string
  readonly name: string
  readonly table: Table
  readonly mapping: Mapping
}

type Props<Mapping> = {
  copy: {
    readonly chooseTitle: string
    readonly formats: string
    readonly privacy: string
    readonly refusals: Readonly<Record<'empty' | 'large', string>> & {
      /** The formats that the page reads, as the end of a sentence. */
      readonly formats: string
      readonly long: (rows: number) => string
    }
  }
  accept: string
  /**
   * Reads a file or a text, and only one sheet if the user chose one. Returns an error message if the page that contains
   * this card refuses the input.
   */
  read: (file: Upload, sheet?: string) => Promise<ReadTable<Mapping> | string>
  onChosen: (file: ChosenFile<Mapping>) => void
  /** Renders an additional way to enter rows. */
  children?: (take: (name: string, text: string) => void) => ReactNode
}

/** A workbook with several tables, among which the user must choose. */
type Book = { readonly name: string; readonly file: Upload; readonly sheets: readonly string[] }

/** The file types of tables, for the input element's `accept` attribute. */
export const acceptedSheets = '.csv,.tsv,.txt,.xlsx,.xlsm,.xls,.xml,.html,.htm,text/csv'

/** Maximum size of a file. Ten thousand rows take only a few megabytes. */
const fileBytesMax = 20 * 1024 * 1024

/** Card in which the user chooses a file. The page then reads the file. */
export function ChooseCard<Mapping>({ copy, accept, read, onChosen, children }: Props<Mapping>) {
  const { refusals } = copy
  const [error, setError] = useState<string>()
  const { isBusy, run } = useTask((failure) => {
    logQuietly(failure, 'file of an upload')
    setError(failureMessage(failure, uploadCopy.unreadable))
  })
  const [book, setBook] = useState<Book | null>(null)
  const take = async (name: string, file: Upload, sheet?: string) => {
    setError(undefined)
    const answer = await read(file, sheet)
    if (typeof answer === 'string') setError(answer)
    else if (answer.ok)
      onChosen({ key: newIdempotencyKey(), name: [name, sheet].filter(Boolean).join(' · '), ...answer })
    else if (answer.reason === 'sheets') setBook({ name, file, sheets: answer.names })
    else setError(refusedFileText(answer, refusals))
  }
  const takeFile = async (file: File) => {
    setBook(null)
    if (file.size > fileBytesMax) setError(refusals.large)
    else await take(file.name, new Uint8Array(await file.arrayBuffer()))
  }
  return (
    <Card title={copy.chooseTitle}>
      <div className="file-parts">
        <FileDrop
          formats={copy.formats}
          accept={accept}
          isBusy={isBusy}
          onFile={(file) => run(() => takeFile(file))}
        />
        {children?.((name, text) => run(() => take(name, text)))}
        <div role="alert">
          <FormError>{error}</FormError>
        </div>
        {book !== null && (
          <SheetQuestion
            sheets={book.sheets}
            isBusy={isBusy}
            onChoose={(sheet) => run(() => take(book.name, book.file, sheet))}
          />
        )}
        <p className="text-sm text-muted">{copy.privacy}</p>
      </div>
    </Card>
  )
}

type SheetQuestionProps = {
  sheets: readonly string[]
  isBusy: boolean
  onChoose: (sheet: string) => void
}

function SheetQuestion({ sheets, isBusy, onChoose }: SheetQuestionProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="file-broken">
      <p id={id} role="status" className="font-semibold">
        {uploadCopy.sheets}
      </p>
      <ul className="flex flex-wrap gap-2">
        {sheets.map((sheet) => (
          <li key={sheet}>
            <Button
              variant="outline"
              disabled={isBusy}
              className="wrap-anywhere"
              onClick={() => onChoose(sheet)}
            >
              {sheet}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
