/** Reads the transfers to other banks, closes clearing files and downloads them. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { queueKey } from '#staff/orders/requests.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { saveFile } from '#ui/save-file.ts'
import { clearingCopy as copy } from './copy.ts'

type Functions = Database['public']['Functions']
type Clearing = Functions['list_clearing']['Returns']
export type ClearingFile = Clearing['files'][number]

/** The transfers to other banks that are not in a file yet, and the latest closed files. */
export const clearingQuery = queryOptions({
  queryKey: [...queueKey, 'clearing'],
  queryFn: async ({ signal }): Promise<Clearing> => {
    const client = await backend()
    return unwrap(await client.rpc('list_clearing', undefined, { get: true }).abortSignal(signal))
  },
})

/** Closes the file with this number. A repeated call returns the same file. Throws the table API's error. */
export async function closeFile(client: QueryClient, number: number): Promise<ClearingFile> {
  const api = await backend()
  try {
    return unwrap(await api.rpc('close_clearing_file', { number }))
  } finally {
    // Even if the response was lost, the list then shows whether the file was closed.
    await client.invalidateQueries({ queryKey: queueKey })
  }
}

/**
 * Returns the money of every transfer in the file to the customers who paid, each at most once. The answer says whether
 * the return waits for another administrator. Throws the table API's error.
 */
export async function returnFile(
  client: QueryClient,
  number: number,
  reason: string,
): Promise<Functions['return_clearing_file']['Returns']> {
  const api = await backend()
  try {
    return unwrap(await api.rpc('return_clearing_file', { number, reason }))
  } finally {
    // Even if the response was lost, the list then shows what was returned.
    await client.invalidateQueries({ queryKey: queueKey })
  }
}

export type Format = keyof typeof copy.formats
const contentTypes = { csv: 'text/csv;charset=utf-8', xml: 'application/xml' } as const

/** Saves a closed file with the bytes that the bank keeps. */
export async function downloadFile(number: number, format: Format): Promise<void> {
  const api = await backend()
  const file = unwrap(await api.rpc('read_clearing_file', { number }))
  saveFile(copy.fileName(number, format), new Blob([file[format] ?? ''], { type: contentTypes[format] }))
}
