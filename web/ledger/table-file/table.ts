/** What every format is read into, so that there is one way to recognise, correct and preview it. */

/** A record of the file and the number of the line on which it begins, counted from 1. */
export type Row = { readonly line: number; readonly fields: readonly string[] }

export type FileFormat = 'CSV' | 'OFX' | 'QIF' | 'camt.053'

export type Table = {
  readonly format: FileFormat
  /** Names of the columns; made up where the file has none. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}
