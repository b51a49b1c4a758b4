/**
 * A mail as text (RFC 5322, RFC 2045–2047): two parts, both 8bit and never wrapped, so that a link is
 * found in the file exactly as it is.
 */
import { randomBytes } from 'node:crypto'
import type { Mail } from './mailer.ts'

/** Bytes of text in one encoded word: 60 characters of base64, below the 75 that are allowed. */
const encodedWordBytesMax = 45

/** The whole message, with CRLF at the end of every line. */
export function formatMessage(mail: Mail, { from, date }: { from: string; date: Date }): string {
  const boundary = randomBytes(18).toString('hex')
  const id = randomBytes(18).toString('hex')
  const lines = [
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `From: ${headerText(from)}`,
    `To: ${headerText(mail.to)}`,
    `Message-ID: <${id}@finanzas.local>`,
    `Subject: ${encodeHeader(headerText(mail.subject))}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part(boundary, 'text/plain', mail.text),
    ...part(boundary, 'text/html', mail.html),
    `--${boundary}--`,
    '',
  ]
  return lines.join('\r\n')
}

function part(boundary: string, type: string, content: string): string[] {
  return [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    ...content.split(/\r?\n/),
  ]
}

/** One line: whoever chose the value cannot begin another header. */
function headerText(value: string): string {
  return value.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
}

/** Encoded words where the text is not plain ASCII, each on a line of its own. */
function encodeHeader(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > encodedWordBytesMax) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`).join('\r\n ')
}
