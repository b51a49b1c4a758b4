import { expect, test } from 'vitest'
import { csvOf } from './download.ts'

test('each table has its name, its columns and its rows', () => {
  const csv = csvOf([
    { name: 'public.profiles', rows: [{ id: 'a', full_name: 'Ana, "la" Pérez' }] },
    { name: 'auth.mfa_factors', rows: [] },
    {
      name: 'public.transactions',
      rows: [
        { amount: -10.5, note: null },
        { amount: 3, extra: { a: 1 } },
      ],
    },
  ])

  expect(csv).toBe(
    [
      '\uFEFFpublic.profiles\r\nid,full_name\r\na,"Ana, ""la"" Pérez"\r\n',
      'public.transactions\r\namount,note,extra\r\n-10.5,,\r\n3,,"{""a"":1}"\r\n',
    ].join('\r\n'),
  )
})

test.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1'])('%j is no formula', (text) => {
  const csv = csvOf([{ name: 't', rows: [{ text }] }])

  const cell = csv.split('\r\n').slice(2).join('\r\n')
  expect(cell.replace(/^"/, '').startsWith("'")).toBe(true)
})
