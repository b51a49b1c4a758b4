/**
 * Parses the identity document and the telephone number of an account holder, which people write in different forms.
 * The database checks both.
 */
import { fold } from '#format/text.ts'

export const documentKinds = ['CC', 'CE', 'NIT', 'PA', 'PPT', 'RC', 'TI'] as const
export type DocumentKind = (typeof documentKinds)[number]

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

const numberForms: Readonly<Record<DocumentKind, RegExp>> = {
  CC: /^[1-9]\d{2,9}$/,
  CE: /^[1-9]\d{2,9}$/,
  NIT: /^[1-9]\d{7,9}-\d$/,
  PA: /^[A-Z0-9]{5,20}$/,
  PPT: /^[1-9]\d{4,9}$/,
  RC: /^[1-9]\d{7,10}$/,
  TI: /^[1-9]\d{9,10}$/,
}

/** Returns the number without separators, or `null` if it is not a number of this kind. */
export function readDocumentNumber(kind: DocumentKind, text: string): string | null {
  const bare = text.toUpperCase().replaceAll(/[\s.,]/g, '')
  const number = kind === 'NIT' ? bare.replace(/^(\d{9})-?(\d)$/, '$1-$2') : bare.replaceAll('-', '')
  if (!numberForms[kind].test(number)) return null
  return kind === 'NIT' && !hasCheckDigit(number) ? null : number
}

const nitWeights = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43]

/** Returns whether a NIT ends in the check digit that is computed from its other digits. */
function hasCheckDigit(nit: string): boolean {
  const [digits = '', check] = nit.split('-')
  const sum = [...digits]
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (nitWeights[place] ?? 0), 0)
  const rest = sum % 11
  return String(rest > 1 ? 11 - rest : rest) === check
}

/** Returns a telephone number in the format E.164, or `null`. A number without a country code counts as Colombian. */
export function readPhone(text: string): string | null {
  const bare = text.replaceAll(/[\s().\u00a0-]/g, '').replace(/^00/, '+')
  if (/^\+[1-9]\d{6,14}$/.test(bare)) return bare
  const [, national] = /^(?:57)?((?:3\d|60)\d{8})$/.exec(bare) ?? []
  return national === undefined ? null : `+57${national}`
}
