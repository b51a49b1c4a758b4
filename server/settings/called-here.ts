/**
 * Adapts the operator's commands in printed messages to this installation. The messages contain `npm run NAME`, but
 * commands are called differently in a service or a container.
 */
import { readSetting } from './settings.ts'

const calls =
  /npm run (admin|backup|restore|migrate-engine|verify-ledger|verify-statement|status)(?: --(?= ))?/g

/** Returns the text with each `npm run NAME` replaced by the command that works in this installation. */
export function asCalledHere(text: string): string {
  const form = readSetting(process.env, 'OPERATOR_COMMAND')
  return form === null ? text : text.replaceAll(calls, (_call, name: string) => form.replace('NAME', name))
}
