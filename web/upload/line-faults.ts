import { TableRefusal } from '#backend/errors.ts'

/** A line that the database refused, by its place among those that were sent, and why. */
export type LineFault = { readonly line: number; readonly message: string }

/** The faults of the lines that were sent (PT422); none for any other error. */
export function lineFaults(error: unknown): readonly LineFault[] {
  const hasLines = error instanceof TableRefusal && error.code === 'PT422' && error.details !== ''
  return hasLines ? (JSON.parse(error.details) as LineFault[]) : []
}
