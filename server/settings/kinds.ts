/** The kinds of settings. A kind reads the value of an environment variable, and keeps the words of the documents. */
import { type Rule, integer, oneOf, valueOf } from './rules.ts'

/** The texts about a variable in the table of docs/operations.md. */
type Words = {
  readonly meaning: string
  /** The value on several servers, in their column of the table. */
  readonly servers?: string
  /** Stands in place of the default, if the default is not a constant. */
  readonly shownDefault?: string
}

/** The row of a setting in `private.settings`, if the database enforces the setting. */
export type Stored = {
  /** The effect of the value, as an operator of a hosted project reads it. */
  readonly meaning: string
  /** The value until a server or an operator sets another one; by default, the default of the variable. */
  readonly value?: string | null
  /** Regular expression for the value, if the value is not a number and not one of a few words. */
  readonly pattern?: string
  /** The smallest number, if it differs from that of the variable. */
  readonly least?: number
}

export type Setting<Value = unknown> = Words & {
  /** Returns the value, or the default if the variable is unset. Throws `ConfigError` about an invalid value. */
  readonly read: (given: string | undefined, name: string) => Value
  readonly byDefault: string | number | null
  /** The possible values in words. */
  readonly values: string
  readonly range?: { readonly least: number; readonly most: number }
  readonly choices?: readonly string[]
  /** The default in each currency, if it depends on the currency. */
  readonly defaults?: Readonly<Record<'USD' | 'COP', number>> | undefined
}

/** The largest whole amount of money, in units of the currency. */
export const amountMax = 999_999_999_999

/** A text that follows a rule. */
export function text<Default extends string | null>(
  rule: Rule,
  byDefault: Default,
  { values = 'a text', ...words }: Words & { readonly values?: string },
) {
  return {
    ...words,
    values,
    byDefault: byDefault as string | Default,
    read: (given: string | undefined, name: string): string | Default =>
      valueOf(given, name, rule) ?? byDefault,
  }
}

/** A whole number. */
export function whole<Default extends number | null>(
  least: number,
  most: number,
  byDefault: Default,
  words: Words,
) {
  const range = { least, most }
  return {
    ...words,
    values: `${least} to ${most}`,
    range,
    byDefault: byDefault as number | Default,
    read: (given: string | undefined, name: string): number | Default =>
      numberOf(given, name, range) ?? byDefault,
  }
}

/** A whole number of currency units, whose default depends on the currency. */
export function amount<Defaults extends Setting['defaults']>(
  least: number,
  defaults: Defaults,
  words: Words,
) {
  const range = { least, most: amountMax }
  return {
    ...words,
    values: `a whole number of currency units, from ${least}`,
    range,
    defaults,
    byDefault: null,
    read: (given: string | undefined, name: string) => numberOf(given, name, range),
  }
}

/** One of a few words, of which the first is the default. */
export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices, words: Words) {
  const [byDefault] = choices
  return {
    ...words,
    values: choices.map((each) => `\`${each}\``).join(', '),
    choices,
    byDefault: byDefault as Choices[number],
    read: (given: string | undefined, name: string): Choices[number] =>
      valueOf(given, name, oneOf(...choices)) ?? byDefault,
  }
}

/** A value with a format of its own, which formats.ts reads; `null` if the variable is unset. */
export function formatted<Value>(
  read: (given: string | undefined, name: string) => Value | null,
  { values, ...words }: Words & { readonly values: string },
) {
  return { ...words, values, byDefault: null, read }
}

/** Adds the row of `private.settings`. */
export function enforced<S extends Setting>(setting: S, stored: Stored): S & { readonly stored: Stored } {
  return { ...setting, stored }
}

function numberOf(
  given: string | undefined,
  name: string,
  { least, most }: { least: number; most: number },
): number | null {
  const value = valueOf(given, name, integer(least, most))
  return value === null ? null : Number(value)
}
