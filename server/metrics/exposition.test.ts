import { expect, test } from 'vitest'
import { type Metric, writeExposition } from './exposition.ts'
import { mailMetrics } from './application.ts'

const metric = (fields: Partial<Metric>): Metric => ({
  name: 'finanzas_things',
  help: 'Things.',
  type: 'gauge',
  read: () => [{ value: 1 }],
  ...fields,
})

test('a metric is written as a help line, a type line and one line for each sample', async () => {
  const read = () => [
    { labels: { surface: 'rest', status: '200' }, value: 3 },
    { suffix: '_sum', value: 0.5 },
  ]

  expect(await writeExposition([metric({ read })])).toBe(
    '# HELP finanzas_things Things.\n# TYPE finanzas_things gauge\n' +
      'finanzas_things{surface="rest",status="200"} 3\nfinanzas_things_sum 0.5\n',
  )
})

test('a quote or a line feed in the value of a label ends neither the label nor its line', async () => {
  const read = () => [{ labels: { reason: 'a "b"\n\\c' }, value: 1 }]

  expect(await writeExposition([metric({ read })])).toContain(String.raw`{reason="a \"b\"\n\\c"} 1`)
})

test('a metric that cannot be read is omitted and the other metrics are written', async () => {
  const [mails = metric({})] = mailMetrics({
    waiting: () => Promise.reject(new Error('The database is away.')),
    givenUp: 0,
  })
  const broken = metric({
    name: 'finanzas_broken',
    read() {
      throw new Error('a mistake')
    },
  })

  const text = await writeExposition([mails, broken, metric({})])

  expect(text).toContain('finanzas_things 1')
  expect(text).not.toMatch(/mail|broken/)
})

test('a metric whose value is unknown does not produce a line', async () => {
  expect(await writeExposition([metric({ read: () => [] })])).toBe('')
})
