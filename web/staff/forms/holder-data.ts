/**
 * Parses the identity document and the telephone number of an account holder, which people write in different forms.
 * The database checks the document and the telephone number again.
 */
import { type DocumentKind, documentKinds } from '@finanzas/contract/database-types.ts'
import { isIdentityDocument } from '@finanzas/contract/format/identity-document.ts'
import { fold } from '#ui/format/text.ts'

/** Prefixes of the words that name each kind of document, in lower case and without accents, points and spaces. */
const kindWords: readonly (readonly [string, DocumentKind])[] = [
  ['cedulaextranjer', 'CE'],
  ['ceduladeextranjer', 'CE'],
  ['extranjer', 'CE'],
  ['cedula', 'CC'],
  ['tarjeta', 'TI'],
  ['registro', 'RC'],
  ['pasaporte', 'PA'],
  ['passport', 'PA'],
  ['permiso', 'PPT'],
]

/** Returns the kind of a document from its letters or from a word, or `null` for an unknown kind. */
export function readDocumentKind(text: string): DocumentKind | null {
  const written = fold(text).replaceAll(/[\s.]/g, '')
  return (
    documentKinds.find((kind) => kind.toLowerCase() === written) ??
    kindWords.find(([word]) => written.startsWith(word))?.[1] ??
    null
  )
}

/**
 * Splits a document that is written in one text, such as `CC 1020304050`, into its kind and its number. Returns `null` if
 * the text does not begin with the letters or the word of a kind. `PA123456` may be a whole passport number, and is not
 * split.
 */
export function splitDocument(text: string): { kind: DocumentKind; number: string } | null {
  const [, word = '', separator = '', number = ''] =
    /^(\p{L}[\p{L}.]*?)\.?([\s:#-]+|(?=\d))(.*\d.*)$/u.exec(text.trim()) ?? []
  const kind = word === '' ? null : readDocumentKind(word)
  return kind === null || (kind === 'PA' && separator === '') ? null : { kind, number }
}

/** Returns the number without separators, or `null` if it is not a number of this kind. */
export function readDocumentNumber(kind: DocumentKind, text: string): string | null {
  const bare = text.toUpperCase().replaceAll(/[\s.,]/g, '')
  const number = kind === 'NIT' ? bare.replace(/^(\d{9})-?(\d)$/, '$1-$2') : bare.replaceAll('-', '')
  return isIdentityDocument(kind, number) ? number : null
}

/** Returns a telephone number in the format E.164, or `null`. A number without a country code counts as Colombian. */
export function readPhone(text: string): string | null {
  const bare = text.replaceAll(/[\s().\u00a0-]/g, '').replace(/^00/, '+')
  if (/^\+[1-9]\d{6,14}$/.test(bare)) return bare
  const [, national] = /^(?:57)?((?:3\d|60)\d{8})$/.exec(bare) ?? []
  return national === undefined ? null : `+57${national}`
}
