/**
 * A full disk under the embedded engine (security.md CR-05). While the disk is full, the server refuses writes as it
 * does during an outage, but it still serves reads. When the disk has free space again, the server accepts writes
 * without a restart. No acknowledged write is lost. The test needs permission to mount a file system.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Metric, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { migratedDataDirectory, temporaryDirectory } from '#testing/data-directory.ts'
import { createOpenServer } from '#nightly/fixtures/servers.ts'
import { type Answer, type Caller, type Wire, wireOf } from '#nightly/fixtures/wire.ts'

const diskMegabytes = 320
/** Space that the ballast file leaves free, so that writes succeed for a short time before the disk is full. */
const roomBytes = 3 * 1024 * 1024
const writesMax = 20_000
const recoveryWaitMs = 60_000

/** Returns the reason why this machine cannot fill a disk, or null if it can. */
export function diskFullRefusal(): string | null {
  return process.platform === 'linux' && process.getuid?.() === 0 ? null : 'only root may mount a small disk'
}

/** Fills the disk and frees the space again, `rounds` times. */
export async function runDiskFull({ rounds }: { rounds: number }): Promise<Metric[]> {
  const [source, mount] = [await migratedDataDirectory(), await temporaryDirectory()]
  execFileSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${diskMegabytes}m,mode=0700`,
    'finanzas-nightly',
    mount.path,
  ])
  const server = await createOpenServer({ environment: { DATA_DIR: mount.path } })
  try {
    cpSync(source.path, mount.path, { recursive: true })
    await server.start()
    const wire = await wireOf(server)
    const customer = await wire.signUp('cliente@banco.example')
    const acknowledged: string[] = []
    const failures = { refusals: [] as string[], reads: [] as string[], recoveries: [] as string[] }
    const refused = new Map<number, number>()
    for (let round = 0; round < rounds; round += 1) {
      const ballast = join(mount.path, 'ballast')
      const { bavail, bsize } = statfsSync(mount.path)
      writeFileSync(ballast, Buffer.alloc(Math.max(bavail * bsize - roomBytes, 0)))
      const end = await writeUntilRefused(wire, customer, acknowledged)
      refused.set(end?.status ?? 0, (refused.get(end?.status ?? 0) ?? 0) + 1)
      if (end?.status !== 503 && end?.status !== 507) failures.refusals.push(JSON.stringify(end))
      if (!(await succeeds(() => wire.rest(customer, 'budgets?select=balance'), 200)))
        failures.reads.push(`round ${round}`)
      rmSync(ballast)
      if (!(await succeeds(() => writeOne(wire, customer, acknowledged), 201)))
        failures.recoveries.push(`round ${round}`)
    }
    const kept = await readIds(wire, customer)
    const { code } = await server.stop('SIGTERM')
    for (const sentence of Object.values(failures).flat().slice(0, 5)) console.error(sentence)
    return [
      counted('times that the disk was full', rounds, rounds),
      metricWithoutThreshold(
        'answers to the write that met it',
        [...refused].map(([status, count]) => `${status} × ${count}`).join(', '),
      ),
      none('answers other than 503 and 507', failures.refusals),
      none('reads that failed while it was full', failures.reads),
      none('servers that did not write again when there was room', failures.recoveries),
      counted('acknowledged writes', acknowledged.length),
      none(
        'of them lost',
        acknowledged.filter((id) => !kept.has(id)),
      ),
      none('the server did not end with 0', code === 0 ? 0 : 1),
    ]
  } finally {
    await server.stop('SIGKILL').catch(() => undefined)
    execFileSync('umount', [mount.path])
    await mount.remove()
    await source.remove()
  }
}

async function writeOne(wire: Wire, customer: Caller, acknowledged: string[]): Promise<Answer> {
  const id = crypto.randomUUID()
  const label = 'x'.repeat(200)
  const answer = await wire.expense(customer, { customerId: customer.id, label, amount: '1.00' }, id)
  if (answer?.status === 201) acknowledged.push(id)
  return answer
}

async function writeUntilRefused(wire: Wire, customer: Caller, acknowledged: string[]): Promise<Answer> {
  for (let count = 0; count < writesMax; count += 16) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => writeOne(wire, customer, acknowledged)),
    )
    const refused = answers.find((answer) => answer?.status !== 201)
    if (refused !== undefined) return refused
  }
  return null
}

/** Repeats the operation and returns whether it succeeds within the time that the server may take to recover. */
async function succeeds(attempt: () => Promise<Answer>, status: number): Promise<boolean> {
  const deadline = performance.now() + recoveryWaitMs
  while (performance.now() < deadline) {
    if ((await attempt())?.status === status) return true
    await setTimeout(100)
  }
  return false
}

async function readIds(wire: Wire, customer: Caller): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += 1000) {
    const answer = await wire.rest(customer, `transactions?select=id&order=id&offset=${offset}`)
    const rows = (answer?.body ?? []) as { id: string }[]
    for (const { id } of rows) ids.add(id)
    if (rows.length < 1000) return ids
  }
}
