/** What moves money: a customer's expense and an administrator's deposit, each with its posting, its chain and its outbox row. */
import { randomUUID } from 'node:crypto'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { auditedAs } from '#server/database/scope.ts'
import { asCaller, scopeStatement } from '#server/database/scope.ts'
import { administratorOf, customerId, readersOf } from '#bench/fixtures/customers.ts'
import { httpSide } from '#bench/http-side.ts'
import { interleaveRounds, rateMetrics } from '#bench/interleave.ts'
import { runPgbench } from '#bench/limits/pgbench.ts'
import type { Scenario } from '#bench/scenario.ts'
import { type WireRequest, batchesOf, claimsOf, httpTexts } from '#bench/fixtures/wire-request.ts'

const line = 0.6

export const expense: Scenario = {
  title: 'Add an expense, with journal and chain, PostgreSQL',
  limit: 'pgbench, the same statements in one round trip, commits forced to the disk as ours',
  peers: '`@supabase/lite` 0.10.0 on the same database: the same triggers post, nothing is announced',
  needs: ['peers'],
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const requests = readersOf(bank.size).map((person): WireRequest => ({
      person,
      method: 'POST',
      path: '/rest/v1/transactions',
      body: JSON.stringify({
        user_id: customerId(person),
        type: 'expense',
        description: 'Almuerzo',
        amount: 12.5,
        category: 'Comida',
      }),
      headers: { prefer: 'return=minimal' },
    }))
    const batches = await batchesOf(bank.database, requests)
    const texts = await httpTexts(requests)
    const sides = [
      httpSide('Finanzas', { server: await bank.server(), texts, order }),
      { name: 'pgbench', measure: () => runPgbench({ ...bank, url: bank.servingUrl, batches, ...order }) },
      httpSide('@supabase/lite', { server: await bank.lite(), texts, order }),
    ]
    return rateMetrics(await interleaveRounds(sides, order.rounds), { pgbench: line })
  },
}

export const deposit: Scenario = {
  title: "An administrator's deposit, with journal, chain and audit, PostgreSQL",
  limit: 'pgbench, the same statements in one round trip, commits forced to the disk as ours',
  peers: 'none: neither peer has an audited function',
  needs: [],
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const administrator = administratorOf(bank.size)
    const customers = readersOf(bank.size)
    const requests = customers.map((customer): WireRequest => ({
      person: administrator,
      method: 'POST',
      path: '/functions/v1/manage-transactions',
      body: JSON.stringify({
        action: 'create',
        transactionData: {
          user_id: customerId(customer),
          type: 'deposit',
          amount: 12.5,
          description: 'Nómina',
          date: new Date().toISOString(),
          category: null,
        },
      }),
    }))
    const scope = asCaller({ role: 'authenticated', claims: claimsOf(administrator) }, 'write')
    const batches = customers.map((customer): SqlStatement[] => [
      scopeStatement(scope),
      auditedAs(randomUUID()),
      sql`select public.register_transaction(
        ${customerId(customer)}::uuid, ${'deposit'}, ${'12.5'}::numeric, ${'Nómina'},
        ${new Date().toISOString()}::timestamptz, ${null}, gen_random_uuid(), ${null}, ${null}) as id`,
    ])
    const sides = [
      httpSide('Finanzas', { server: await bank.server(), texts: await httpTexts(requests), order }),
      { name: 'pgbench', measure: () => runPgbench({ ...bank, url: bank.servingUrl, batches, ...order }) },
    ]
    return rateMetrics(await interleaveRounds(sides, order.rounds), { pgbench: line })
  },
}
