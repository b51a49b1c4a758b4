import { expect, test } from 'vitest'
import { clientOf, transactionIds } from '#tests/process/client.ts'
import { type Program, migratedDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }

async function signIn(program: Program) {
  const client = await clientOf(program)
  const { data } = await client.auth.signInWithPassword(administrator)
  return { client, userId: data.user?.id ?? '' }
}

/** Records expenses, sixteen at a time, until the server stops taking them; what it acknowledges goes into the list. */
async function writeUntilRefused(
  { client, userId }: Awaited<ReturnType<typeof signIn>>,
  acknowledged: string[],
): Promise<void> {
  const writer = async () => {
    for (;;) {
      const id = crypto.randomUUID()
      const { status } = await client
        .from('transactions')
        .insert({ id, user_id: userId, type: 'expense', description: 'x', amount: 1 })
      if (status !== 201) return
      acknowledged.push(id)
    }
  }
  await Promise.all(Array.from({ length: 16 }, writer))
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'no acknowledged write is lost to %s in the middle of writing',
  { retry: 0 },
  async (signal) => {
    const dataDir = await migratedDirectory()
    const environment = { DATA_DIR: dataDir, ADMIN_PASSWORD: administrator.password, AUTH_RATE_LIMITS: 'off' }
    const first = await startProgram(environment)
    await untilReady(first)
    const acknowledged: string[] = []
    const writing = writeUntilRefused(await signIn(first), acknowledged)
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(100)

    first.process.kill(signal)
    await writing

    expect(await first.ended).toBe(signal === 'SIGTERM' ? 0 : null)
    const second = await startProgram(environment)
    await untilReady(second)
    const { client } = await signIn(second)
    const kept = await transactionIds(client)
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
    const { data: budget } = await client.from('budgets').select('balance').single()
    expect(budget?.balance).toBe(-kept.size)
  },
)
