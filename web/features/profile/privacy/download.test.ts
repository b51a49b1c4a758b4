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
