import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { dashboardSumsQuery } from './sums.ts'
import { applyBudget } from '#data/changes.ts'

test('the dashboard shows an announced limit and announced notes before the page reads them again', () => {
  const client = new QueryClient()
  const { queryKey } = dashboardSumsQuery('u', new Date('2026-11-28T15:00:00Z'))
  const sums = {
    period: { since: '2026-06-01', until: '2026-11-30' },
    balance: 0,
    months: [],
    days: [],
    monthly_limit: null,
  }
  client.setQueryData(queryKey, sums)

  applyBudget(client, { user_id: 'u', balance: 5, noted: -2, monthly_limit: 600 })

  expect(client.getQueryData(queryKey)).toEqual({ ...sums, held: 5, noted: -2, monthly_limit: 600 })
})
