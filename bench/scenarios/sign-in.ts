/** Checks that a sign-in costs little more than one password hash, and that a token refresh computes no hash. */
import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { asService, scopeStatement } from '#server/database/scope.ts'
import { hashesAtOnceMax } from '#server/people/password/passwords.ts'
import { selectSignedIn } from '#server/people/session/sessions.ts'
import { RefreshTokenKey } from '#server/tokens/refresh-token.ts'
import {
  customerId,
  emailOf,
  password,
  readersOf,
  sessionId,
  storedPassword,
} from '#bench/fixtures/customers.ts'
import { httpSide, sendLoad } from '#bench/http-side.ts'
import { type Side, interleaveRounds, rateMetrics } from '#bench/interleave.ts'
import type { PostgresBank } from '#bench/fixtures/postgres-bank.ts'
import type { Scenario } from '#bench/scenario.ts'
import { pgbenchSide } from './requests.ts'
import { type WireRequest, httpTexts, jwtSecret } from '#bench/fixtures/wire-request.ts'

const reuseSeconds = 10

export const signIn: Scenario = {
  title: 'Sign-in, PostgreSQL',
  limit: `argon2id alone at the same cost, with as many hashes at a time as in the product (here ${hashesAtOnceMax})`,
  // `@supabase/lite` is not compared here, because it hashes with bcrypt, which is a different amount of work.
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const customers = readersOf(bank.size)
    const stored = await storedPassword()
    // A shorter round would have only a hundred answers, and the hashes that are incomplete at its start and end would
    // distort the rate by two percent.
    const longer = { ...order, seconds: order.seconds * 2 }
    await bank.owner.query(
      sql`update auth.users set encrypted_password = ${stored} where email = any(${`{${customers.map(emailOf).join(',')}}`}::text[])`,
    )
    const texts = await httpTexts(
      customers.map((person): WireRequest => ({
        person,
        method: 'POST',
        path: '/auth/v1/token?grant_type=password',
        body: JSON.stringify({ email: emailOf(person), password }),
      })),
    )
    const hashes = (name: string, atOnce: number): Side => ({
      name,
      async measure() {
        const startedAt = performance.now()
        const endsAt = startedAt + longer.seconds * 1000
        let done = 0
        const verifyAgain = async () => {
          for (; performance.now() < endsAt; done += 1)
            if (!(await verify(stored, password))) throw new Error('The password is another one.')
        }
        await Promise.all(Array.from({ length: atOnce }, verifyAgain))
        return (done * 1000) / (performance.now() - startedAt)
      },
    })
    const sides = [
      httpSide('Finanzas', { server: await bank.server(), texts, order: longer }),
      hashes('argon2id alone', hashesAtOnceMax),
      hashes(
        'argon2id on all cores, of which the product leaves one to everybody else',
        availableParallelism(),
      ),
    ]
    return rateMetrics(await interleaveRounds(sides, order), { 'argon2id alone': 0.75 })
  },
}

export const refresh: Scenario = {
  title: 'Token refresh, PostgreSQL',
  limit: 'pgbench, the same statements in one round trip',
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const server = await bank.server()
    const people = readersOf(bank.size).slice(0, order.connections)
    const load = async (seconds: number) => {
      const { perSecond } = await sendLoad(server, {
        texts: await refreshTexts(bank, people),
        connections: people.length,
        seconds,
        carriesRefreshToken: true,
      })
      return perSecond
    }
    const scope = scopeStatement(asService('supabase_auth_admin', 'write'))
    const batches = people.map((person): SqlStatement[] => {
      const id = sessionId(person)
      return [
        scope,
        // Only the database knows which refresh token is active between two rounds.
        sql`select r.outcome from auth.refresh_session(
          ${id}, (select s.refresh_counter from auth.sessions s where s.id = ${id}), ${reuseSeconds}) as r`,
        selectSignedIn(id),
      ]
    })
    const sides = [
      { name: 'Finanzas', measure: () => load(order.seconds), warmUp: () => load(order.seconds) },
      pgbenchSide(bank, batches, order),
    ]
    return rateMetrics(await interleaveRounds(sides, order), {})
  },
}

/** Returns one refresh request for each user, with the user's active refresh token. */
async function refreshTexts({ owner }: PostgresBank, people: readonly number[]): Promise<string[]> {
  const key = RefreshTokenKey.of(jwtSecret)
  const rows = await owner.query(
    sql<{ id: string; refresh_counter: number }>`select s.id, s.refresh_counter from auth.sessions s
      where s.user_id = any(${`{${people.map(customerId).join(',')}}`}::uuid[])`,
  )
  const counters = new Map(rows.map(({ id, refresh_counter: counter }) => [id, counter]))
  return httpTexts(
    people.map((person): WireRequest => {
      const id = sessionId(person)
      const token = key.write({ sessionId: id, counter: counters.get(id) ?? 0 })
      return {
        person,
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        body: JSON.stringify({ refresh_token: token }),
      }
    }),
  )
}
