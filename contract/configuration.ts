/** `GET /config.json`: the settings that the page needs before it starts. The file is public. */
export type PageConfiguration = {
  /** Base address of `/auth/v1` and the other surfaces; empty means the origin at which the page was opened. */
  supabaseUrl: string
  anonKey: string
  brandName: string
  /** ISO 4217 code of the currency that customers see; the specification requires `USD`. */
  displayCurrency: string
  /** Address template with `{initials}`; if empty, the page draws the avatar itself. */
  avatarUrl: string
  /** Address template with `{symbol}`; if empty, the market card shows a sentence in place of the chart. */
  chartUrl: string
  passwordLengthMin: number
}
