/** Calls that order new accounts, and read the lines whose accounts could not be opened. */
import { queryOptions } from '@tanstack/react-query'
import type { Json } from '@finanzas/contract/database-types.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { readAll } from '#api/read-all.ts'
import { unwrap } from '#api/unwrap.ts'
import type { Batch } from '#staff/batches/batches.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { onboardingCopy as copy } from './copy.ts'
import type { ColumnMapping, NewCustomer } from './customers-from-rows.ts'

/**
 * Orders the accounts atomically. A repeated call with the same id and lines opens no account twice. Throws the table
 * API's error.
 */
export async function orderCustomers(order: {
  id: string
  title: string
  customers: readonly NewCustomer[]
}): Promise<Batch> {
  const client = await backend()
  const lines = order.customers.map(({ line, name, email, kind, number, phone, amountMinor }) => ({
    line,
    full_name: name,
    email,
    document_kind: kind,
    document_number: number,
    phone,
    amount: numberFromMinor(amountMinor),
  }))
  return unwrap(
    await client.rpc('create_customers', { id: order.id, title: order.title, lines: lines as Json }),
  )
}

/**
 * Reads the lines whose accounts could not be opened. Returns these lines as a table like an uploaded file, so that
 * staff can correct them.
 */
export function failedLinesQuery(id: string | null) {
  return queryOptions({
    queryKey: ['batches', id, 'failed accounts'],
    enabled: id !== null,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<ChosenFile<ColumnMapping>> => {
      const client = await backend()
      const lines = await readAll<FailedAccount>(async (last) =>
        unwrap(
          await client
            .rpc('read_failed_accounts', { id: id ?? '', after_line: last?.line ?? 0 })
            .abortSignal(signal),
        ),
      )
      const rows = lines.map(({ line, amount, full_name, email, document_kind, document_number, phone }) => ({
        line,
        fields: [
          full_name,
          email,
          document_kind ?? '',
          document_number ?? '',
          phone ?? '',
          amount.toFixed(2),
        ],
      }))
      const { name, email, kind, number, phone, amount } = copy.roles
      const columns = [name, email, kind, number, phone, amount]
      const mapping = { name: 0, email: 1, kind: 2, number: 3, phone: 4, amount: 5, decimal: '.' } as const
      return { key: id ?? '', name: copy.chooseTitle, table: { format: 'CSV', columns, rows }, mapping }
    },
  })
}

type FailedAccount = {
  line: number
  amount: number
  full_name: string
  email: string
  document_kind: string | null
  document_number: string | null
  phone: string | null
}
