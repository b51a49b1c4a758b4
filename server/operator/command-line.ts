/**
 * Arguments and output of the operator's commands. The sentences of the result are written to standard output. With
 * `--json`, one line for programs is written there, and the sentences are written to standard error, like every refusal.
 * The exit code is 0 for success, 1 for a refused or failed command, and 2 for wrong usage.
 */
import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#settings/config.ts'
import { keepFilesPrivate } from '#data-directory/private-files.ts'
import { asCalledHere } from '#settings/called-here.ts'
import { warningsOfMisspelledSettings } from '#settings/misspelled-settings.ts'
import { explain } from './explain.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { CommandRefused } from './command.ts'

/**
 * Output of a command. `isGood` is false if the command found a problem, such as an inconsistent ledger. `isPiped` is
 * true if the command has written a file to standard output.
 */
export type Outcome = {
  readonly sentences: readonly string[]
  readonly result: unknown
  readonly isGood?: boolean
  readonly isPiped?: boolean
}

/** A command was called with wrong arguments; the program then prints the usage. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** Options that a command accepts. The type is `string` for an option with a value and `boolean` for a flag. */
type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
type Values<O extends Options> = { [K in keyof O]?: O[K]['type'] extends 'string' ? string : boolean }

export type Call<O extends Options> = {
  readonly values: Values<O>
  readonly positionals: readonly string[]
  readonly isJson: boolean
}

/** Reads the arguments, runs the work, prints the result, and ends the process. */
export async function runCommandLine<const O extends Options>(
  description: { readonly usage: string; readonly options: O },
  work: (call: Call<O>, config: Config) => Promise<Outcome>,
): Promise<never> {
  keepFilesPrivate()
  try {
    if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
      console.log(asCalledHere(`Uso: ${description.usage}`))
      process.exit(0)
    }
    const call = parse(description.options)
    for (const warning of warningsOfMisspelledSettings(process.env)) console.error(warning)
    const { sentences, result, isGood = true, isPiped = false } = await work(call, readConfig(process.env))
    const write = call.isJson || isPiped ? console.error : console.log
    for (const sentence of sentences) write(asCalledHere(sentence))
    if (call.isJson) console.log(JSON.stringify(result))
    process.exit(isGood ? 0 : 1)
  } catch (error) {
    const isUsage = error instanceof WrongUsage
    console.error(asCalledHere(isUsage ? `${error.message}\nUso: ${description.usage}` : explain(error)))
    process.exit(isUsage ? 2 : 1)
  }
}

function parse<O extends Options>(options: O): Call<O> {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    })
    return { values, positionals, isJson: 'json' in values }
  } catch (error) {
    throw new WrongUsage(wrongOption(error), { cause: error })
  }
}

/** Replaces Node's English message about an option with a Spanish message. */
function wrongOption(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const option = /'(--?[^ '<=]+)/.exec(error.message)?.[1] ?? ''
  const isUnknown = errorCode(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
  return isUnknown ? `Opción desconocida: ${option}.` : `El valor de la opción ${option} falta o sobra.`
}

/** Throws `WrongUsage` for arguments that the command does not accept. */
export function refuseWords(words: readonly string[]): void {
  if (words[0] !== undefined) throw new WrongUsage(`Argumento desconocido: ${words[0]}.`)
}

/** The path that stands for standard input or output. */
export const standardStream = '-'

/**
 * Returns the path that an argument names. Throws `WrongUsage` for a URL. The message does not repeat the URL, because
 * the URL may contain a password.
 */
export function pathOf(word: string): string {
  if (word.includes('://'))
    throw new WrongUsage('Una dirección con :// no es un archivo ni un directorio. ¿Está bien escrita?')
  return resolve(word)
}

/**
 * Returns the path of a file to read. Throws `WrongUsage` for a URL or a directory, and `CommandRefused` for a missing
 * file.
 */
export function pathOfFile(word: string): string {
  const path = pathOf(word)
  const found = statOf(path)
  if (found === null) throw new CommandRefused(`No existe el archivo ${path}.`)
  if (found.isDirectory()) throw new WrongUsage(`${path} es un directorio: se espera un archivo.`)
  return path
}

/** Returns `null` if the path does not exist or cannot be read. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

const figures = new Intl.NumberFormat('es-CO')

/** Returns a count with its noun: "1 fila", "5.018 filas". */
export function counted(count: number, one: string, many: string): string {
  return `${figures.format(count)} ${count === 1 ? one : many}`
}
