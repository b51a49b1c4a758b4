/**
 * Calls of the operator's commands in this installation. In sentences a command is written `npm run NAME`; in a
 * service or a container its call is different.
 */
import { operatorCommand } from './config.ts'

const calls = /npm run (admin|backup|restore|migrate-engine|verify-ledger|verify-statement)(?: --(?= ))?/g

/** Returns the text with each command replaced by its call here. */
export function asCalledHere(text: string): string {
  const form = operatorCommand(process.env)
  return form === null ? text : text.replaceAll(calls, (_call, name: string) => form.replace('NAME', name))
}
