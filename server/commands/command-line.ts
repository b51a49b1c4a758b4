/**
 * How every command of the operator ends: sentences for people on standard error, with `--json` one line
 * for programs on standard output; exit code 0 done, 1 refused or failed, 2 called in a wrong way.
 */
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#config.ts'
import { keepFilesClosed } from '#database/closed-files.ts'
import { warnOfMisspelledSettings } from '#misspelled-settings.ts'
import { explain } from '#run-program.ts'

/** What a command has to say. `isGood: false` is a result that is no success, such as a broken ledger. */
export type Outcome = {
  readonly sentences: readonly string[]
  readonly result: unknown
  readonly isGood?: boolean
}

/** A call that cannot be meant: the usage is shown. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** What the call may name: every value is text, every flag is there or not. */
type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
type Values<O extends Options> = { [K in keyof O]?: O[K]['type'] extends 'string' ? string : boolean }

/** How a program was called. */
export type Call<O extends Options> = {
  readonly values: Values<O>
  readonly positionals: readonly string[]
}

/** Reads the arguments, runs the work, says how it went, and ends the process. */
export async function runCommandLine<const O extends Options>(
  description: { readonly usage: string; readonly options: O },
  work: (call: Call<O>, config: Config) => Promise<Outcome>,
): Promise<never> {
  keepFilesClosed()
  try {
    const { isJson, ...call } = parse(description.options)
    warnOfMisspelledSettings(process.env)
    const { sentences, result, isGood = true } = await work(call, readConfig(process.env))
    for (const sentence of sentences) console.error(sentence)
    if (isJson) console.log(JSON.stringify(result))
    process.exit(isGood ? 0 : 1)
  } catch (error) {
    const isUsage = error instanceof WrongUsage
    console.error(isUsage ? `${error.message}\nUsage: ${description.usage}` : explain(error))
    process.exit(isUsage ? 2 : 1)
  }
}

function parse<O extends Options>(options: O): Call<O> & { isJson: boolean } {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    })
    return { values, positionals, isJson: 'json' in values }
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
