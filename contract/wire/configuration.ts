import type { Feature } from './features.ts'

/** The format of a statement or a receipt. */
export type PaperFormat = 'csv' | 'pdf'

/** `GET /config.json`: the settings that the page needs before it can start. The file is public. */
export type PageConfiguration = {
  /** Base URL of `/auth/v1` and the other surfaces. If empty, the page uses the origin from which it was loaded. */
  supabaseUrl: string
  anonKey: string
  brandName: string
  /** ISO 4217 code of the currency in which amounts are displayed. The specification requires `USD`. */
  displayCurrency: string
  /** URL template that contains `{initials}`. If empty, the page draws the avatar itself. */
  avatarUrl: string
  /** URL template that contains `{symbol}`. If empty, the market card shows a message in place of the chart. */
  chartUrl: string
  passwordLengthMin: number
  /** The formats in which the bank issues statements and receipts. A hosted project does not write PDF files. */
  paperFormats: readonly PaperFormat[]
  /** The features that the bank has enabled. The page uses the list only to choose what it shows. */
  features: readonly Feature[]
  /**
   * Whether a second administrator must approve an administrator's acts above an amount. The page uses this value only
   * to choose what it shows.
   */
  hasApprovals: boolean
}
