/**
 * Power cuts on the embedded engine (security.md CR-02). The test records the writes and fsyncs of a running bank,
 * builds disk images for random points of the recording, and opens each image in a new process. Every image must
 * contain all acknowledged writes and valid hash chains.
 */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Disk, type Survival, readRecording } from './disk-image.ts'
import { type Metric, counted, grouped, metricWithoutThreshold, none } from '#testing/report.ts'
import { migratedDataDirectory, temporaryDirectory } from '#testing/data-directory.ts'
import { randomOf } from '#nightly/fixtures/random.ts'

const run = promisify(execFile)
const outputBytesMax = 64 * 1024 * 1024
const reopenWaitMs = 120_000

type Acknowledged = { at: number; id: string }

/** Records a bank's writes, builds the disk images, and opens each image. */
export async function runPowerLoss(options: {
  writes: number
  images: number
  seed: number
}): Promise<Metric[]> {
  const { writes, images, seed } = options
  const random = randomOf(seed)
  const [bank, base, temporary] = [
    await migratedDataDirectory(),
    await migratedDataDirectory(),
    await temporaryDirectory(),
  ]
  try {
    const log = join(temporary.path, 'recording')
    const acknowledged = await record({ directory: join(bank.path, 'postgres'), log, writes })
    const recording = readRecording(log)
    const last = recording.at(-1)?.end ?? 0
    const moments = Array.from({ length: images }, () => random.integer(last)).toSorted((a, b) => a - b)
    const disk = new Disk(join(base.path, 'postgres'))
    const failures = { unopened: [] as string[], lost: [] as string[], broken: [] as string[] }
    let taken = 0
    let checked = 0
    for (const moment of moments) {
      for (let next = recording[taken]; next !== undefined && next.end <= moment; next = recording[taken]) {
        disk.take(next)
        taken += 1
      }
      const image = join(temporary.path, 'image')
      const survival = random.one<Survival>(['nothing', 'everything', 'by chance'])
      disk.imageAt(image, survival, random)
      const expected = acknowledged.filter(({ at }) => at <= moment).map(({ id }) => id)
      checked += expected.length
      await reopen(image, `at ${moment}, ${survival} survived`, expected, failures)
      rmSync(image, { recursive: true, force: true })
    }
    for (const sentence of Object.values(failures).flat().slice(0, 5)) console.error(sentence)
    const fsyncs = recording.filter(({ event }) => event.op === 'fsync').length
    return [
      metricWithoutThreshold(
        'recorded',
        `${grouped(acknowledged.length)} writes, ${grouped(fsyncs)} fsyncs, seed ${seed}`,
      ),
      counted('disk images', images, images),
      none('images that did not open', failures.unopened),
      counted('acknowledged writes that an image must contain', checked),
      none('of them lost', failures.lost),
      none('images with a broken chain', failures.broken),
    ]
  } finally {
    for (const directory of [bank, base, temporary]) await directory.remove()
  }
}

async function record(options: { directory: string; log: string; writes: number }): Promise<Acknowledged[]> {
  const { directory, log, writes } = options
  const hook = ['--import', './nightly/power-loss/recording-hook.ts']
  const given = ['nightly/power-loss/bank-process.ts', directory, String(writes)]
  const env = { PATH: process.env['PATH'], RECORDING: log }
  const { stdout } = await run(process.execPath, [...hook, ...given], { maxBuffer: outputBytesMax, env })
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [at = '', id = ''] = line.split(' ')
      return { at: Number(at), id }
    })
}

async function reopen(
  image: string,
  moment: string,
  expected: readonly string[],
  failures: { unopened: string[]; lost: string[]; broken: string[] },
): Promise<void> {
  let found: { ids: string[]; broken: unknown }
  try {
    const { stdout } = await run(process.execPath, ['nightly/power-loss/bank-process.ts', image], {
      maxBuffer: outputBytesMax,
      timeout: reopenWaitMs,
    })
    found = JSON.parse(stdout) as typeof found
  } catch (error) {
    failures.unopened.push(
      `${moment}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
    )
    return
  }
  const ids = new Set(found.ids)
  for (const id of expected) if (!ids.has(id)) failures.lost.push(`${moment}: ${id}`)
  if (found.broken !== null) failures.broken.push(`${moment}: ${JSON.stringify(found.broken)}`)
}
