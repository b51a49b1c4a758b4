import { QueryClient, useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { categorizationQuery } from './rules.ts'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderWithToasts } from '#testing/render-part.tsx'
import { RulesCard } from './rules-card.tsx'

const sent: string[] = []
let kept: string[]
let answer: (ids: string[]) => Promise<Response>
let isReadingRefused: boolean
let client: QueryClient

beforeEach(async () => {
  sent.length = 0
  kept = ['a', 'b', 'c']
  isReadingRefused = false
  answer = async (ids) => {
    kept = ids
    return new Response(null, { status: 204 })
  }
  await serve((path, body) => {
    if (path.endsWith('/order_category_rules')) {
      const { ids } = body as { ids: string[] }
      sent.push(ids.join(''))
      return answer(ids)
    }
    if (isReadingRefused) return Response.json({ code: '42501', message: 'no' }, { status: 403 })
    return Response.json(path.endsWith('/category_rules') ? kept.map(ruleOf) : [])
  })
  client = createQueryClient()
  renderWithToasts(<Page />, client)
  await waitFor(() => expect(shown()).toBe('abc'))
})
test('a rule that is moved twice before the first answer arrives stays in its last position', async () => {
  const release = holdAnswers()
  await moveDown('a')
  await moveDown('a')
  expect(shown()).toBe('bca')
  expect(sent).toEqual(['bac'])

  release()

  await waitFor(() => expect(kept.join('')).toBe('bca'))
  expect(sent).toEqual(['bac', 'bca'])
  expect(shown()).toBe('bca')
})

test('a refetch during a pending reorder does not move a rule back', async () => {
  const release = holdAnswers()
  await moveDown('a')
  // An event on the live channel would invalidate the query in the same way.
  await client.invalidateQueries()
  await waitFor(() => expect(shown()).toBe('abc'))
  await moveDown('a')

  release()

  await waitFor(() => expect(kept.join('')).toBe('bca'))
})

test('a refused order shows the reason of the refusal', async () => {
  const message = 'Hiciste muchos cambios seguidos. Espera unos minutos.'
  answer = () => Promise.resolve(Response.json({ code: 'PT429', message }, { status: 429 }))
  await moveDown('a')

  expect(await screen.findAllByText(message)).not.toEqual([])
})

test('the page reverts a refused order, even if the rules cannot be read again', async () => {
  isReadingRefused = true
  answer = async () => Response.json({ code: '42501', message: 'no' }, { status: 403 })
  await moveDown('a')

  expect(await screen.findByText('No se pudo guardar la regla')).not.toBeNull()
  expect(shown()).toBe('abc')
})

function Page() {
  const { data } = useQuery(categorizationQuery('u'))
  return data && <RulesCard userId="u" categorization={data} />
}

/** Delays the answers to all reorder requests until the returned function is called. */
function holdAnswers(): () => void {
  const { promise: answered, resolve: release } = Promise.withResolvers<void>()
  const keep = answer
  answer = async (ids) => {
    await answered
    return keep(ids)
  }
  return release
}

const moveDown = (text: string) =>
  userEvent.click(screen.getByRole('button', { name: `Bajar ${text} → Otro` }))

function shown(): string {
  return screen
    .queryAllByRole('button', { name: /^Editar/ })
    .map((button) => button.getAttribute('aria-label')?.slice('Editar '.length)[0])
    .join('')
}

function ruleOf(id: string) {
  return { id, contains: id, category: 'Otro', entries: null, first_seq: null, undone_at: null }
}
