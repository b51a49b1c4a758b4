/** Fills the demo with transfers in the states that customers and administrators see on a normal day. */
import { randomUUID } from 'node:crypto'
import { type Database, type Owner, sql } from '#database/database.ts'
import { setBankSettings } from '#settings/bank-settings.ts'
import { withoutTransferLimits } from '#settings/settings.ts'
import { type DemoName, addressOf, endSessions, openProvenSession, secondAdministrator } from './people.ts'
import { type Currency, amountIn } from './transactions.ts'

type DemoTransfer = {
  readonly to: DemoName
  readonly dollars: number
  readonly concept: string
  /** Days until the transfer is carried out; absent for a transfer that is carried out as soon as possible. */
  readonly inDays?: number
  /**
   * The administrator's decision; absent if the transfer still waits for a decision or needs none. The payer can read
   * the reason.
   */
  readonly decision?: { readonly approve: boolean; readonly reason: string | null }
}

type DemoPayer = {
  readonly name: DemoName
  readonly beneficiaries: readonly {
    readonly person: DemoName
    readonly name: string
    /** Days since the payer confirmed the beneficiary. */
    readonly confirmedDays: number
  }[]
  readonly transfers: readonly DemoTransfer[]
}

const payers: readonly DemoPayer[] = [
  {
    name: 'laura',
    beneficiaries: [
      { person: 'andres', name: 'Andrés', confirmedDays: 90 },
      { person: 'marisol', name: 'Marisol', confirmedDays: 0 },
    ],
    transfers: [
      { to: 'andres', dollars: 38, concept: 'Almuerzo del viernes' },
      { to: 'andres', dollars: 20, concept: 'Internet del próximo mes', inDays: 6 },
      { to: 'marisol', dollars: 480, concept: 'Viaje a Cartagena' },
    ],
  },
  {
    name: 'andres',
    beneficiaries: [
      { person: 'laura', name: 'Laura R.', confirmedDays: 60 },
      { person: 'marisol', name: 'Doña Marisol', confirmedDays: 30 },
    ],
    transfers: [
      { to: 'laura', dollars: 64.5, concept: 'Domicilios del mes' },
      {
        to: 'marisol',
        dollars: 620,
        concept: 'Moto usada',
        decision: { approve: false, reason: 'Llámanos para confirmar esta compra.' },
      },
      { to: 'laura', dollars: 130, concept: 'Mercado de la finca' },
    ],
  },
  {
    name: 'marisol',
    beneficiaries: [
      { person: 'laura', name: 'Laura', confirmedDays: 45 },
      { person: 'andres', name: 'Andrés Gómez', confirmedDays: 0 },
    ],
    transfers: [
      { to: 'laura', dollars: 180, concept: 'Curso de cerámica', decision: { approve: true, reason: null } },
      { to: 'andres', dollars: 210, concept: 'Computador usado', inDays: 2 },
    ],
  },
]

/**
 * Requests the transfers on behalf of the customers, and approves or rejects some of the requests. Leaves transfers
 * enabled, with limits that permit these transfers. When the server starts, it replaces the limits with those of the
 * operator.
 */
export async function fillTransfers(
  { database, owner }: { readonly database: Database; readonly owner: Owner },
  currency: Currency,
): Promise<void> {
  await setBankSettings(database, {
    ...withoutTransferLimits,
    transferencias: 'on',
    transfer_automatic_max: Number(amountIn(currency, 125)),
  })
  const administrator = await openProvenSession(database, secondAdministrator.email)
  for (const { name, beneficiaries, transfers } of payers) {
    const payer = await openProvenSession(database, addressOf(name))
    const ids = new Map<DemoName, string>()
    for (const { person, name: chosen, confirmedDays } of beneficiaries) {
      const id = randomUUID()
      ids.set(person, id)
      await database.transaction(payer, [
        sql`select public.add_beneficiary(${id}, ${chosen}, ${addressOf(person)})`,
        sql`select public.confirm_beneficiary(${id})`,
      ])
      await owner.query(sql`
        update public.beneficiaries
        set created_at = created_at - make_interval(days => ${confirmedDays}),
          confirmed_at = confirmed_at - make_interval(days => ${confirmedDays})
        where id = ${id}`)
    }
    for (const { to, dollars, concept, inDays = null, decision } of transfers) {
      const id = randomUUID()
      await database.transaction(payer, [
        sql`
          select public.request_transfer(
            ${id}, ${ids.get(to) ?? ''}, ${amountIn(currency, dollars)}, ${concept},
            (now() at time zone 'America/Bogota')::date + ${inDays}::integer)`,
      ])
      if (decision === undefined) continue
      await database.transaction(administrator, [
        sql`select public.decide_requests(array[${id}::uuid], ${decision.approve}, ${decision.reason})`,
      ])
    }
  }
  // Adds a beneficiary who is not a customer of this bank. The payer has not confirmed this beneficiary yet.
  await database.transaction(await openProvenSession(database, addressOf('laura')), [
    sql`select public.add_beneficiary(${randomUUID()}, 'Papá', 'jorge.restrepo@correo.example')`,
    sql`select public.set_alias('laura.r')`,
  ])
  await endSessions(database)
}
