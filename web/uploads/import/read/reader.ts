/**
 * The interface of the readers. A reader turns the bytes of one format into rows of texts, and says what the format
 * itself states about these rows. A reader does not judge: judge/ decides for all formats which text is the amount, the
 * day or the direction.
 */
import type { FileContent } from '#uploads/content.ts'
import type { DecimalMark } from '#uploads/figures.ts'
import type { RowReading } from '#uploads/read-rows.ts'
import type { FileFormat, Row } from '#uploads/table.ts'
import type { ColumnRole } from './roles.ts'
import type { DayOrder } from './days.ts'

/** The reason why a row of the file is not a booked transaction. */
export type SkipReason =
  | 'balance'
  | 'total'
  | 'pending'
  | 'reversed'
  | 'replaced'
  | 'refused'
  | 'unknown'
  | 'information'
  | 'section'
  | 'empty'

/** A part of the file that is not offered. The page lists its line and its text with the reason. */
export type Skipped = { readonly line: number; readonly reason: SkipReason; readonly text: string }

/** The properties of the file that its format defines or that the file itself states. */
export type Stated = {
  readonly format: FileFormat
  /**
   * Names and roles of the fields. `null` for a format of tables (CSV, Excel, HTML), whose columns are recognized from
   * headings and values.
   */
  readonly fields: {
    readonly names: readonly string[]
    readonly roles: Readonly<Partial<Record<ColumnRole, number>>>
  } | null
  /** The mark between the values of a text with separators. */
  readonly separator?: string | undefined
  readonly dayOrder?: DayOrder | undefined
  readonly decimal?: DecimalMark | undefined
  /** The ISO 4217 code of amounts whose row does not name a currency. */
  readonly currency?: string | undefined
  /** Parts of the file that are not transactions and that the reader did not yield as rows. */
  readonly skipped?: readonly Skipped[] | undefined
  /** Lines with a sum, a balance or a count that does not agree with the rows. Rows may be missing. */
  readonly unequal?: readonly Row[] | undefined
}

export type Reading = RowReading<Stated>

/** `last` is the last day that a transaction may have. */
export type ReadRows = (file: FileContent, last: string) => Reading

export type Recognized = {
  /** Matches the beginning of a text in this format. */
  readonly recognizes: RegExp
  readonly load: () => Promise<ReadRows>
}

/** The rows of a file before its columns are recognized. `rows` includes the rows above the heading of a table. */
export type FileRows = Stated & { readonly rows: readonly Row[] }
