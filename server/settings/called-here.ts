/**
 * The call of the operator's commands in this installation. Sentences name them as `npm run NAME`; a service or
 * container calls them differently.
 */
import { operatorCommand } from './config.ts'

const calls = /npm run (admin|backup|restore|migrate-engine|verify-ledger|verify-statement)(?: --(?= ))?/g

/** The text with each command as it is called here. */
export function asCalledHere(text: string): string {
  const form = operatorCommand(process.env)
  return form === null ? text : text.replaceAll(calls, (_call, name: string) => form.replace('NAME', name))
}
