/**
 * Common passwords (security.md AN-03). The check compares the whole password, and ignores capitals, accents, and
 * digits that stand for letters. A password that contains a common word among other characters is accepted.
 */
import { createRequire } from 'node:module'
import { commonEndings, commonLiterals, commonWords, keyboardWalks } from './common-passwords.ts'

/** Words that are easy to guess for this account. */
export type Context = {
  /** The bank's name. */
  readonly brandName: string
  /** The account's address, if known. */
  readonly email: string | null
}

/** Digits and signs that stand for letters. */
const letterOfFigure: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const endings = new Set(['', ...commonEndings.map(fold)])
const wordsByForm = new Set(commonWords.flatMap((word) => [fold(word), withoutFigures(fold(word))]))
const literals = new Set(commonLiterals.map(fold))
const walks = keyboardWalks.flatMap((walk) => [fold(walk), [...fold(walk)].toReversed().join('')])
const wordLengthMax = Math.max(...[...wordsByForm].map((word) => word.length))
const contextWordLengthMin = 4

// A list of leaked passwords, the commonest first. The list takes a megabyte. A synchronous `require` therefore loads
// the list when the first password is chosen, whereas an `import` would load the list when the server starts.
const readModule = createRequire(import.meta.url)
let leaked: ReadonlySet<string> | undefined

function leakedPasswords(): ReadonlySet<string> {
  if (leaked === undefined) {
    const { dictionary } = readModule('@zxcvbn-ts/language-common') as Leaks
    leaked = new Set(dictionary['passwords-common'].map((password) => fold(password)))
  }
  return leaked
}

type Leaks = { dictionary: { 'passwords-common': readonly string[] } }

/** Checks whether the password is common, or consists only of the bank's name or the account's address. */
export function isCommonPassword(password: string, context: Context): boolean {
  const folded = fold(password)
  if (literals.has(folded) || leakedPasswords().has(folded) || isRepetition(folded) || isDate(folded))
    return true
  if (walks.some((walk) => walk.includes(folded))) return true
  return isWordWithEnding(folded, wordsOf(context))
}

/** Returns the same text for texts that differ only in capitals, accents or width. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function withoutFigures(text: string): string {
  return text.replaceAll(/[013457@$!]/g, (figure) => letterOfFigure[figure] ?? figure)
}

/** Recognizes a common word that is repeated once, or that stands alone or next to a usual suffix such as a number. */
function isWordWithEnding(folded: string, contextWords: ReadonlySet<string>): boolean {
  const isWord = (text: string) =>
    contextWords.has(text) || wordsByForm.has(text) || wordsByForm.has(withoutFigures(text))
  const lengthMax = Math.max(wordLengthMax, ...[...contextWords].map((word) => word.length))
  for (let length = Math.min(folded.length, lengthMax); length >= 2; length -= 1) {
    const [head, tail] = [folded.slice(0, length), folded.slice(length)]
    if (isWord(head) && (endings.has(tail) || tail === head)) return true
    const [front, back] = [folded.slice(0, -length), folded.slice(-length)]
    if (isWord(back) && endings.has(front)) return true
  }
  return false
}

/** Recognizes one to four characters that repeat. */
function isRepetition(folded: string): boolean {
  return /^(.{1,4}?)\1+$/su.test(folded)
}

/** Recognizes a day of the last hundred years in eight digits, in any order of day, month and year. */
function isDate(folded: string): boolean {
  const digits = folded.replaceAll(/[-/. ]/g, '')
  if (!/^\d{8}$/.test(digits)) return false
  const orders = [
    [digits.slice(4), digits.slice(2, 4), digits.slice(0, 2)],
    [digits.slice(4), digits.slice(0, 2), digits.slice(2, 4)],
    [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)],
  ]
  return orders.some(([year, month, day]) => {
    const [y, m, d] = [Number(year), Number(month), Number(day)]
    return y >= 1930 && y <= 2035 && m >= 1 && m <= 12 && d >= 1 && d <= 31
  })
}

/** Returns the bank's name and the address, whole and in parts, with and without the characters between the parts. */
function wordsOf({ brandName, email }: Context): ReadonlySet<string> {
  const [local = '', domain = ''] = (email ?? '').split('@')
  const [site = ''] = domain.split('.')
  const names = [brandName, local, site, email ?? ''].map(fold)
  const pieces = names.flatMap((name) => [
    name,
    name.replaceAll(/[^a-z0-9]/g, ''),
    ...name.split(/[^a-z0-9]+/),
  ])
  return new Set(pieces.filter((piece) => piece.length >= contextWordLengthMin))
}
