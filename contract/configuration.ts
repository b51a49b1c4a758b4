/** `GET /config.json`: the settings that the page needs before it starts. None is secret. */
export type PageConfiguration = {
  /** Base address of `/auth/v1` and its neighbours; empty means the origin at which the page was opened. */
  supabaseUrl: string
  anonKey: string
  brandName: string
  /** ISO 4217 code of what customers see; `USD` as the specification has it. */
  displayCurrency: string
  /** Address template with `{initials}`, or empty: the avatar is then drawn in the page. */
  avatarUrl: string
  /** Address template with `{symbol}`, or empty: the market card then shows its calm sentence. */
  chartUrl: string
  passwordLengthMin: number
}
