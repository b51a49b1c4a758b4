/** Reads the mails of the outbox, and follows their links as a browser does. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmailOtpType } from '@supabase/supabase-js'
import { inject } from 'vitest'

/** A mail in the outbox and the link in it. */
export type ReceivedMail = { text: string; link: string }

const mailWaitMs = 15_000

/** Waits for the `count`-th mail to the address. */
export async function waitForMail(email: string, count = 1): Promise<ReceivedMail> {
  return untilMail(email, count, (text) => {
    const link = /^https?:\/\/\S+$/m.exec(text)?.[0]
    return link === undefined ? null : { text, link }
  })
}

/** Waits for the `count`-th mail to the address and returns its six digits. */
export async function waitForCode(email: string, count = 1): Promise<string> {
  return untilMail(email, count, (text) => {
    const code = /código (\d{6}) |^(\d{6})\r?$/m.exec(text)
    return code?.[1] ?? code?.[2] ?? null
  })
}

/** Waits until `read` returns a result for the text of the `count`-th mail to the address. */
async function untilMail<T>(email: string, count: number, read: (text: string) => T | null): Promise<T> {
  const deadline = Date.now() + mailWaitMs
  while (Date.now() < deadline) {
    const found = read((await readMails(email))[count - 1] ?? '')
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`Mail ${count} to ${email} did not come within ${mailWaitMs} ms.`)
}

/** Returns all mails to the address, the oldest first. */
export async function readMails(email: string): Promise<string[]> {
  const outbox = join(inject('server').dataDir, 'outbox')
  const files = await readdir(outbox).catch(() => [])
  const theirs = files.filter((file) => file.endsWith(`-${email}.eml`)).sort()
  return Promise.all(theirs.map((file) => readFile(join(outbox, file), 'utf8')))
}

/** Follows a mailed link as a browser does, up to the page that it leads to. */
export async function followLink(link: string) {
  const { status, headers } = await fetch(link, { redirect: 'manual' })
  const [page = '', hash = ''] = (headers.get('location') ?? '').split('#')
  const fragment = new URLSearchParams(hash)
  return { status, page, fragment, type: fragment.get('type'), errorCode: fragment.get('error_code') }
}

/** Follows the link in the `count`-th mail to the address. */
export async function followMail(email: string, count = 1) {
  return followLink((await waitForMail(email, count)).link)
}

/** Reads the token from a link to the page that asks the person to press a button. The page posts this token. */
export function tokenIn(link: string): { token_hash: string; type: EmailOtpType } {
  const fragment = new URLSearchParams(new URL(link).hash.slice(1))
  const { token_hash = '', type } = Object.fromEntries(fragment)
  return { token_hash, type: type as EmailOtpType }
}
