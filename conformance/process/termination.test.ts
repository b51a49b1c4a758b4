import { expect, test } from 'vitest'
import { clientOf, transactionIds } from './client.ts'
import { type Program, emptyDirectory, startProgram, untilReady } from './server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }

async function signIn(program: Program) {
  const client = await clientOf(program)
  const { data } = await client.auth.signInWithPassword(administrator)
  return { client, userId: data.user?.id ?? '' }
}

/** Records expenses, sixteen at a time, until the server stops taking them; answers the ids it acknowledged. */
async function writeUntilRefused({ client, userId }: Awaited<ReturnType<typeof signIn>>): Promise<string[]> {
  const acknowledged: string[] = []
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
  return acknowledged
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'no acknowledged write is lost to %s in the middle of writing',
  async (signal) => {
    const dataDir = await emptyDirectory()
    const environment = { DATA_DIR: dataDir, ADMIN_PASSWORD: administrator.password, AUTH_RATE_LIMITS: 'off' }
    const first = await startProgram(environment)
    await untilReady(first)
    const writing = writeUntilRefused(await signIn(first))
    await new Promise((resolve) => setTimeout(resolve, 500))

    first.process.kill(signal)
    const acknowledged = await writing

    expect(acknowledged.length).toBeGreaterThan(10)
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
