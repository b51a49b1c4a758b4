/** Mail as a customer receives it: the newest letter to an address, read from the server's outbox. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** The link in the newest mail to the address, of this type where one is named, once it is there. */
export async function mailedLink(address: string, type?: string): Promise<string> {
  let link = ''
  await expect
    .poll(async () => {
      link = linkIn(await newestMailTo(address))
      return link !== '' && (type === undefined || typeOf(link) === type)
    }, `a mail with a link to ${address}`)
    .toBe(true)
  return link
}

function typeOf(link: string): string | null {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('type')
}

async function newestMailTo(address: string): Promise<string> {
  const directory = join(process.env['E2E_DATA_DIR'] ?? '', 'outbox')
  const files = await readdir(directory).catch(() => [])
  // What is being written has another name until it is whole, and then is gone under that one.
  const mails = files.filter((file) => file.endsWith('.eml'))
  // Names begin with the time: the newest comes first.
  for (const file of mails.toSorted((a, b) => b.localeCompare(a))) {
    const mail = await readFile(join(directory, file), 'utf8')
    if (mail.toLowerCase().includes(`to: ${address.toLowerCase()}`)) return mail
  }
  return ''
}

/** The first line of the text part that is an address and nothing else. */
function linkIn(mail: string): string {
  return /^(https?:\/\/\S+)\r?$/m.exec(mail)?.[1] ?? ''
}
