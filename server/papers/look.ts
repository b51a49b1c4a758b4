/** How papers look: the size of the page, the colours, and the properties of a text. */

/** A4 in points. `top` is the first line of a page, and `bottom` is the edge that no line crosses. */
export const paper = { width: 595.28, height: 841.89, left: 44, right: 551, top: 52, bottom: 784 }

export const colours = {
  night: '#17305f',
  brass: '#e3b662',
  ivory: '#f4f0e6',
  cream: '#f7f3ec',
  ink: '#12192a',
  muted: '#545b6b',
  line: '#d9d0bd',
  good: '#17633f',
  bad: '#9b2c2c',
} as const

export type Look = {
  readonly size: number
  readonly isBold?: boolean
  readonly colour?: string
  /** Text that is wider continues on the next line. Without a width, the text is one line. */
  readonly width?: number
}

export type Place = { readonly x: number; readonly y: number }
