/** The common table of every format, so that recognising, correcting and previewing have one way. */

/** A record of the file and the number of the line on which it begins, counted from 1. */
export type Row = { readonly line: number; readonly fields: readonly string[] }

export type FileFormat = 'CSV' | 'OFX' | 'QIF' | 'camt.053'

export type Table = {
  readonly format: FileFormat
  /** Names of the columns; generated where the file lacks them. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}
