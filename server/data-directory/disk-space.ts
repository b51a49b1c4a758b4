/**
 * The free space on the disk. An engine that cannot write its write-ahead log terminates, so even reads fail. The
 * server therefore refuses writes before the disk is full (security.md CR-05).
 */
import { statfsSync } from 'node:fs'

/** Reserved space, which is enough for a checkpoint and for the write-ahead log of all writes in progress. */
const reserveBytes = 64 * 1024 * 1024

/** Returns PostgreSQL's answer for a full disk (SQLSTATE 53100, disk_full), or `null` if enough space is free. */
export function diskFullAnswer(directory: string): Uint8Array<ArrayBuffer> | null {
  return freeBytes(directory) < reserveBytes ? diskFull() : null
}

/** Returns the number of bytes that this user may still write to the disk of the directory. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** Rounds down to whole megabytes, for messages. */
export function megabytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}

/** Encodes ErrorResponse and ReadyForQuery. Source: PostgreSQL documentation, "Message Formats". */
function diskFull(): Uint8Array<ArrayBuffer> {
  const fields = ['SERROR', 'VERROR', 'C53100', 'MThe disk is almost full.', '']
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + length.length)
  return Uint8Array.from(Buffer.concat([Buffer.from('E'), length, body, Buffer.from('Z\0\0\0\u0005I')]))
}
