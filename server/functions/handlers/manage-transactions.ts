/**
 * `POST /functions/v1/manage-transactions`: an administrator registers a deposit or expense for any user
 * (spec §6, §7). The database decides whether the caller may; this only reads and answers.
 */
import { type CreateTransaction, parseManageTransactions } from '@finanzas/contract/functions.ts'
import { readJson } from './json-body.ts'
import { Refusal } from './refusals.ts'

/** What the function needs of whatever stands behind it. Throws what `refusalOf` understands. */
export type TransactionRegister = {
  registerTransaction(transaction: CreateTransaction['transactionData']): Promise<string>
}

/** Answers 200 `{"id"}` with the new transaction's id. Throws `Refusal` and what the register throws. */
export async function manageTransactions(request: Request, register: TransactionRegister): Promise<Response> {
  const parsed = parseManageTransactions(await readJson(request))
  if (!parsed.ok) throw new Refusal(400, parsed.message)
  const id = await register.registerTransaction(parsed.value.transactionData)
  return Response.json({ id })
}
