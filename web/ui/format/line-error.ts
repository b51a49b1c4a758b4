import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import { formatCopy } from './copy.ts'

/** Returns why the bank does not store a text in a column of this length, or `undefined`. */
export function lineError(text: string, lengthMax: number): string | undefined {
  if (!isPlainLine(text)) return formatCopy.unsavable
  return [...text].length > lengthMax ? formatCopy.longText(lengthMax) : undefined
}
