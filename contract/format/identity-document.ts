/**
 * Identity documents of persons and companies. The database checks the same forms (`private.is_document`), and a test
 * compares the two.
 */
import { type DocumentKind, documentKinds } from '@finanzas/contract/database-types.ts'
import { isTaxNumber } from './tax-number.ts'

const forms: Readonly<Record<DocumentKind, (number: string) => boolean>> = {
  CC: (number) => /^[1-9]\d{2,9}$/.test(number),
  CE: (number) => /^[1-9]\d{2,9}$/.test(number),
  NIT: isTaxNumber,
  PA: (number) => /^[A-Z0-9]{5,20}$/.test(number),
  PPT: (number) => /^[1-9]\d{4,9}$/.test(number),
  RC: (number) => /^[1-9]\d{7,10}$/.test(number),
  TI: (number) => /^[1-9]\d{9,10}$/.test(number),
}

/**
 * Returns whether a text without separators is a number of this kind of document. A NIT ends in a hyphen and its check
 * digit. Returns `false` for an unknown kind.
 */
export function isIdentityDocument(kind: string, number: string): boolean {
  const known = documentKinds.find((each) => each === kind)
  return known !== undefined && forms[known](number)
}
