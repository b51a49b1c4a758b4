/**
 * The sender of mails, in the format that the setting uses: an address, or a name followed by an address in angle
 * brackets.
 */

/** A sender in the format that nodemailer expects. */
export type Sender = { readonly name: string; readonly address: string }

const address = String.raw`[^\s<>@,;:"()]+@[^\s<>@,;:"()]+`
const bare = new RegExp(`^${address}$`)
const named = new RegExp(String.raw`^(?:"([^<>"\p{Cc}]*)"|([^<>"\p{Cc}]*))\s*<(${address})>$`, 'u')

/** Reads a sender; `name` is the default for a missing name. Returns `null` when the text is not a sender. */
export function readSender(text: string, name: string): Sender | null {
  const trimmed = text.trim()
  if (bare.test(trimmed)) return { name, address: trimmed }
  const [, quoted = '', unquoted = '', inBrackets] = named.exec(trimmed) ?? []
  return inBrackets === undefined
    ? null
    : { name: quoted.trim() || unquoted.trim() || name, address: inBrackets }
}
