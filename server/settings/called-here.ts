/** How the operator's commands are called here: sentences name them as `npm run NAME`, and a service or container has other words. */
import { operatorCommand } from './config.ts'

const calls = /npm run (admin|backup|restore|migrate-engine|verify-ledger|verify-statement)(?: --(?= ))?/g

/** The text with each command as it is called here. */
export function asCalledHere(text: string): string {
  const form = operatorCommand(process.env)
  return form === null ? text : text.replaceAll(calls, (_call, name: string) => form.replace('NAME', name))
}
