/**
 * Adapts the operator's commands in printed sentences to this installation. The sentences contain `npm run NAME`, but a
 * service or a container calls a command differently.
 */
import { operatorCommand } from './config.ts'

const calls = /npm run (admin|backup|restore|migrate-engine|verify-ledger|verify-statement)(?: --(?= ))?/g

/** Returns the text with each `npm run NAME` replaced by the command of this installation. */
export function asCalledHere(text: string): string {
  const form = operatorCommand(process.env)
  return form === null ? text : text.replaceAll(calls, (_call, name: string) => form.replace('NAME', name))
}
