import type { UnreadFormat } from './unread-formats.ts'

/**
 * The reason why a file could not be read. `damaged` means that the file ends too early or is not well-formed. `unpacked`
 * means that the file contains more than any bank's file. `sheets` means that several sheets contain different tables.
 */
export type Refusal =
  | { readonly reason: 'empty' | 'damaged' | 'unpacked' }
  | { readonly reason: 'format'; readonly format: UnreadFormat }
  | { readonly reason: 'sheets'; readonly names: readonly string[] }
  | { readonly reason: 'long'; readonly rows: number }

/** Thrown by the code that reads a format. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
  readonly refusal: Refusal

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.reason, options)
    this.refusal = refusal
  }
}

/** Returns the refusal of a text with too many rows. They are counted by their beginnings, because reading them takes long. */
export function tooManyRows(text: string, { begin, read }: { begin: RegExp; read: number }): RefusedFile {
  return new RefusedFile({ reason: 'long', rows: Math.max(read, text.match(begin)?.length ?? 0) })
}
