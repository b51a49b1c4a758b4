// The statements that PostgreSQL runs inside one posting. Each statement costs time, and a second lock of the budget or a
// second reading of the journal could disagree with the first.
import pg from 'pg'
import { type TestContext, afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { superuserUrlOf } from '#testing/cluster-databases.ts'
import { useBank } from './database.ts'
import { type Person, ageAccount, deposit, expense } from './people.ts'

const cluster = inject('cluster')
const bank = useBank()

type Plan = {
  readonly 'Node Type': string
  readonly Operation?: string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

// The embedded engine has no auto_explain.
describe.runIf(cluster !== null)('on PostgreSQL', () => {
  let superuser: pg.Client
  let isExplained = true
  let explained: string[] = []

  beforeAll(async () => {
    const [row] = await bank.owner.query(sql<{ name: string }>`select current_database() as name`)
    superuser = new pg.Client(
      superuserUrlOf(cluster ?? { url: '', ownerUrl: '' }, `postgres://-/${row?.name}`),
    )
    superuser.on('notice', ({ message = '' }) => explained.push(message))
    await superuser.connect()
    await superuser.query(`load 'auto_explain'`).catch(() => (isExplained = false))
    if (isExplained)
      await superuser.query(`
        set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
        set auto_explain.log_level = 'notice'; set auto_explain.log_format = 'json'`)
  })
  afterAll(() => superuser.end())

  /** Returns the relations that each nested statement of the person's second call uses, in the order of their ends. */
  async function statementsOf(person: Person, statement: () => SqlStatement, { skip }: TestContext) {
    skip(!isExplained, 'auto_explain is in a package of its own, which is not installed')
    const claims = JSON.stringify({ sub: person.id, session_id: person.sessionId, role: 'authenticated' })
    const runAs = async () => {
      await superuser.query('begin')
      await superuser.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
        [claims],
      )
      const { text, values } = statement()
      explained = []
      await superuser.query(text, [...values])
      const plans = [...explained]
      await superuser.query('commit')
      return plans
    }
    await runAs()
    const plans = (await runAs()).map(
      (message) => (JSON.parse(message.slice(message.indexOf('{'))) as { Plan: Plan }).Plan,
    )
    // The last statement is the call itself. A statement that only calls a function uses no table.
    return plans
      .slice(0, -1)
      .map(usesOf)
      .filter((uses) => uses !== '')
  }

  test('an expense takes eleven statements, and locks the budget and reads the end of the journal once', async (context) => {
    const customer = await bank.addCustomer()
    await ageAccount(bank.owner, customer)

    expect(await statementsOf(customer, () => expense(customer, '5'), context)).toEqual([
      'lock users',
      'insert outbox',
      'lock budgets',
      'read journal',
      'read limits, read settings',
      'insert counters',
      'insert outbox',
      'update budgets, insert journal, update listed_accounts, read transactions',
      'read settings',
      'read notification_preferences',
      'read deleted_transactions, read corrections',
    ])
  })

  test('a deposit locks the budget once and reads the end of the journal once', async (context) => {
    const customer = await bank.addCustomer()
    const statements = await statementsOf(bank.administrator, () => deposit(customer, '5'), context)

    expect(statements.filter((uses) => uses === 'lock budgets')).toHaveLength(1)
    expect(statements.filter((uses) => uses.includes('read journal'))).toHaveLength(1)
  })
})

function usesOf(plan: Plan): string {
  return [...new Set(relationsOf(plan))].join(', ')
}

function relationsOf(plan: Plan, action = 'read'): string[] {
  const own = plan['Operation']?.toLowerCase() ?? action
  const inner = plan['Node Type'] === 'LockRows' ? 'lock' : 'read'
  const relation = plan['Relation Name']
  const isTarget = plan['Node Type'] === 'ModifyTable'
  const below = (plan['Plans'] ?? []).flatMap((each) => relationsOf(each, inner === 'lock' ? 'lock' : action))
  // The scan below an update reads the row that the update changes.
  const others = isTarget ? below.filter((uses) => uses !== `read ${relation}`) : below
  return relation === undefined ? below : [`${own} ${relation}`, ...others]
}
