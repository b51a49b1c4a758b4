/** Mail without a mail server: one file each, `<time>-<recipient>.eml`, for the operator to read (product-decisions §9). */
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { formatMessage } from './message.ts'
import type { Mail, Mailer } from './mailer.ts'

/** Tells whoever runs the server that a mail lies in the outbox; `link` is the first one of its text. */
export type OnKept = (link: string | null, to: string) => void

const recipientLengthMax = 100

/** Keeps mails in a folder, which is made at the first one. */
export function outbox(options: { directory: string; from: string; onKept: OnKept }): Mailer {
  const { directory, from, onKept } = options
  let lastTime = 0
  return {
    async send(mail) {
      // Two mails of one moment get two names, in their order.
      lastTime = Math.max(Date.now(), lastTime + 1)
      const date = new Date(lastTime)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await writeWhole(join(directory, fileName(mail, date)), formatMessage(mail, { from, date }))
      onKept(firstLink(mail.text), mail.to)
    },
    close: () => Promise.resolve(),
  }
}

/** Written under another name first: whoever watches the folder never sees half a mail. */
async function writeWhole(path: string, content: string): Promise<void> {
  const partial = `${path}.part`
  const file = await open(partial, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

function fileName({ to }: Mail, date: Date): string {
  const time = date.toISOString().replaceAll(/[-:]/g, '')
  const recipient = to.replaceAll(/[^a-z0-9@._+-]/gi, '_').slice(0, recipientLengthMax)
  return `${time}-${recipient}.eml`
}

function firstLink(text: string): string | null {
  return /^https?:\/\/\S+$/m.exec(text)?.[0] ?? null
}
