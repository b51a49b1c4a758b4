/** Tests the metrics that the operator's Prometheus scrapes. */
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { anonymousClient, signIn } from '#testing/people.ts'
import { newCredentials } from '#testing/population.ts'
import { freePort } from '#testing/ports.ts'
import { administrator } from '#testing/server.ts'
import { programOfFile, record } from '#tests/process/programs.ts'

const metricsPort = await freePort()
const metricsUrl = `http://127.0.0.1:${metricsPort}`
const program = programOfFile({ METRICS_PORT: String(metricsPort) })

/**
 * Patterns for every allowed value of each label. The values of `le` and `quantile` come from a fixed set of numbers,
 * and `version` and `node` describe the build.
 */
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

/** Parses the Prometheus text format line by line. Throws for a line that does not match the format. */
async function scrape() {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  const samples: Sample[] = []
  const typed = new Set<string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, family] = /^# TYPE ([a-z_]+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (family !== undefined) typed.add(family)
    else if (!/^# HELP [a-z_]+ \S/.test(line)) {
      const [, name, pairs = '', value] = /^([a-z_]+)(?:\{(.+)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`Not a line of the format: ${line}`)
      const labels = [...pairs.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)]
      samples.push({
        name,
        labels: Object.fromEntries(labels.map(([, label, labelled]) => [label, labelled])),
        value: Number(value),
      })
    }
  }
  const valueOf = (wanted: string, labels: Record<string, string> = {}) =>
    samples.find(
      (sample) =>
        sample.name === wanted &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )?.value
  return { text, samples, typed, valueOf }
}

test('metrics count events and contain no personal data', async () => {
  const person = await signIn(program())
  const { client, id, session } = person
  await (await anonymousClient(program())).auth.signInWithPassword(newCredentials())
  const heard = Promise.withResolvers<unknown>()
  const joined = Promise.withResolvers<unknown>()
  client
    .channel('own')
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'transactions' }, heard.resolve)
    .subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) joined.resolve(state)
    })
  await joined.promise
  await record(person)
  await heard.promise
  const list = () => client.from('transactions').select('*').eq('user_id', id)
  await list()
  const before = await scrape()

  await list()
  const { text, samples, typed, valueOf } = await scrape()

  const reads = { surface: 'rest', status: '200' }
  expect(valueOf('finanzas_http_requests_total', reads)).toBe(
    (before.valueOf('finanzas_http_requests_total', reads) ?? Number.NaN) + 1,
  )
  expect(valueOf('finanzas_http_requests_total', { surface: 'auth', status: '400' })).toBe(1)
  for (const [name, value] of Object.entries({
    realtime_sockets: 1,
    realtime_channels: 1,
    realtime_events_total: 1,
    requests_shed_total: 0,
    admission_queue_length: 0,
  }))
    expect({ name, value: valueOf(`finanzas_${name}`) }).toEqual({ name, value })
  expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(50e6)
  await expect
    .poll(async () => (await scrape()).valueOf('finanzas_ledger_broken'), { timeout: 30_000 })
    .toBe(0)

  for (const secret of [id, administrator.email, session.access_token, '/rest', '127.0.0.1'])
    expect(text).not.toContain(secret)
  const odd = samples.flatMap(({ labels }) =>
    Object.entries(labels).filter(([label, value]) => labelValues[label]?.test(value) !== true),
  )
  expect(odd).toEqual([])
  const families = samples.map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, ''))
  expect(families.filter((name) => !typed.has(name))).toEqual([])
  await client.removeAllChannels()
})

test('the buckets of a histogram are cumulative and end at its count', async () => {
  for (let request = 0; request < 5; request += 1) await fetch(`${program().url}/config.json`)

  const { samples, valueOf } = await scrape()

  const name = 'finanzas_http_request_duration_seconds'
  const buckets = samples.filter(
    (sample) => sample.name === `${name}_bucket` && sample.labels['surface'] === 'page',
  )
  const values = buckets.map(({ value }) => value)
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(buckets.at(-1)?.labels['le']).toBe('+Inf')
  expect(values.at(-1)).toBe(valueOf(`${name}_count`, { surface: 'page' }))
  expect(values.at(-1)).toBeGreaterThanOrEqual(5)
})

test('the public port serves no metrics, and the metrics port serves nothing else', async () => {
  const urls = [`${program().url}/metrics`, `${metricsUrl}/`, `${metricsUrl}/ready`]
  const answers = await Promise.all(urls.map((url) => fetch(url)))

  expect(await answers[0]?.text()).toContain('METRICS_PORT')
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})
