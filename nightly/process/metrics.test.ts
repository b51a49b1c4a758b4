/** What the operator's Prometheus reads. */
import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { freePort } from '#testing/ports.ts'
import { clientOf } from '#tests/process/client.ts'
import { migratedDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }

/** Every value that a label may ever have; `le` and `quantile` are fixed numbers, the build's are its version. */
const labelValues: Record<string, RegExp> = {
  surface: /^(?:auth|rest|functions|realtime|storage|probe|page)$/,
  status: /^[1-5]\d\d$/,
  le: /^(?:\+Inf|\d+(?:\.\d+)?)$/,
  quantile: /^(?:0\.5|0\.99|1)$/,
  reason: /^(?:slow|silent|limit)$/,
  version: /^\d+\.\d+\.\d+$/,
  node: /^v\d+\.\d+\.\d+$/,
}

type Sample = { name: string; labels: Record<string, string>; value: number }

/** Reads the text format line by line; throws for a line that is none of it. */
function parse(text: string): { samples: Sample[]; types: Map<string, string> } {
  const samples: Sample[] = []
  const types = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, typed, type] = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (typed !== undefined && type !== undefined) types.set(typed, type)
    else if (!/^# HELP [a-z_]+ \S/.test(line)) {
      const [, name, pairs = '', value] = /^([a-z_]+)(?:\{(.+)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`Not a line of the format: ${line}`)
      const labels = Object.fromEntries(
        [...pairs.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)].map(([, label, text_]) => [label, text_]),
      ) as Record<string, string>
      samples.push({ name, labels, value: Number(value) })
    }
  }
  return { samples, types }
}

const valueOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value

async function startWatched() {
  const metricsPort = await freePort()
  const program = await startProgram({
    DATA_DIR: await migratedDirectory(),
    ADMIN_PASSWORD: administrator.password,
    AUTH_RATE_LIMITS: 'off',
    METRICS_PORT: String(metricsPort),
  })
  await untilReady(program)
  const address = `http://127.0.0.1:${metricsPort}`
  return { program, address, scrape: async () => (await fetch(`${address}/metrics`)).text() }
}

test('what happens is counted, and nothing of a person stands in it', async () => {
  const { program, scrape } = await startWatched()
  const client = await clientOf(program)
  const { data } = await client.auth.signInWithPassword(administrator)
  const userId = data.user?.id ?? ''
  await client.auth.signInWithPassword({
    email: `nadie-${randomUUID()}@banco.example`,
    password: 'no es esta',
  })
  const heard = new Promise<void>((resolve, reject) => {
    client
      .channel('own')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'transactions' }, () => resolve())
      .subscribe((state) => {
        if (state !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return
        client
          .from('transactions')
          .insert({ user_id: userId, type: 'expense', description: 'Almuerzo de Inés', amount: 1 })
          .then(({ error }) => error && reject(new Error(error.message)), reject)
      })
  })
  await heard
  await client.from('transactions').select('*').eq('user_id', userId)
  const before = parse(await scrape()).samples

  await client.from('transactions').select('*').eq('user_id', userId)
  const text = await scrape()
  const { samples, types } = parse(text)

  const reads = (of: readonly Sample[]) =>
    valueOf(of, 'finanzas_http_requests_total', { surface: 'rest', status: '200' })
  expect(reads(samples)).toBe((reads(before) ?? Number.NaN) + 1)
  expect(valueOf(samples, 'finanzas_http_requests_total', { surface: 'auth', status: '400' })).toBe(1)
  expect(valueOf(samples, 'finanzas_realtime_sockets')).toBe(1)
  expect(valueOf(samples, 'finanzas_realtime_channels')).toBe(1)
  expect(valueOf(samples, 'finanzas_realtime_events_total')).toBe(1)
  expect(valueOf(samples, 'finanzas_requests_shed_total')).toBe(0)
  expect(valueOf(samples, 'finanzas_admission_queue_length')).toBe(0)
  expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(50e6)
  await expect
    .poll(async () => valueOf(parse(await scrape()).samples, 'finanzas_ledger_broken'), { timeout: 30_000 })
    .toBe(0)

  for (const secret of [
    userId,
    administrator.email,
    'Inés',
    data.session?.access_token ?? '',
    '/rest',
    '127.0.0.1',
  ])
    expect(text).not.toContain(secret)
  const odd = samples.flatMap(({ labels }) =>
    Object.entries(labels).filter(([label, value]) => labelValues[label]?.test(value) !== true),
  )
  expect(odd).toEqual([])
  const families = samples.map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, ''))
  expect(families.filter((name) => !types.has(name))).toEqual([])
  await client.removeAllChannels()
})

test('the buckets of a histogram grow to its count', async () => {
  const { program, scrape } = await startWatched()
  for (let request = 0; request < 5; request += 1) await fetch(`${program.url}/config.json`)

  const { samples } = parse(await scrape())

  const name = 'finanzas_http_request_duration_seconds'
  const buckets = samples.filter(
    (sample) => sample.name === `${name}_bucket` && sample.labels['surface'] === 'page',
  )
  const values = buckets.map(({ value }) => value)
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(buckets.at(-1)?.labels['le']).toBe('+Inf')
  expect(values.at(-1)).toBe(valueOf(samples, `${name}_count`, { surface: 'page' }))
  expect(values.at(-1)).toBeGreaterThanOrEqual(5)
})

test('the public port says where it is and nothing of it, and its own port nothing else', async () => {
  const { program, address } = await startWatched()

  const answers = await Promise.all(
    [`${program.url}/metrics`, `${address}/`, `${address}/ready`].map((url) => fetch(url)),
  )
  const [atPublic] = answers

  expect(await atPublic?.text()).toContain('METRICS_PORT')
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})
