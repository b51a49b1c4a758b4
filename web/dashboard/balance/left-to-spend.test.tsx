import { beforeEach, expect, test } from 'vitest'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
import { LeftToSpend } from './left-to-spend.tsx'

const now = new Date('2026-11-25T15:00:00Z')

beforeEach(() => serve(() => Response.json([])))
test.each([
  ['a limit of 200.00', 200, 58.09, 'Te quedan $141.91 · $23.65 al día hasta el 30'],
  ['no limit', null, 58.09, ''],
  ['a limit that is reached', 58.09, 58.09, 'Llegaste al límite de este mes.'],
  ['a limit that is exceeded', 50, 58.09, 'Te pasaste por $8.09.'],
])('with %s, the line shows how much of this month’s budget is left', (_, limit, spent, text) => {
  const client = createQueryClient()
  client.setQueryData(dashboardSumsQuery('u', now).queryKey, () => ({
    period: { since: '2026-06-01', until: '2026-11-30' },
    balance: 0,
    months: [
      {
        month: '2026-11',
        balance: 0,
        sums: [
          {
            type: 'expense' as const,
            category: 'Comida',
            recorded_by: 'customer' as const,
            transactions: 1,
            amount: spent,
          },
        ],
      },
    ],
    days: [],
    coming: { payments: 0, amount: 0, recurs: false },
    monthly_limit: limit,
  }))

  const { container } = renderPart(<LeftToSpend userId="u" now={now} />, client)

  expect(container.textContent).toBe(text)
})
