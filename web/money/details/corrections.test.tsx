import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Corrections, type Correction } from './corrections.tsx'

const deposit = { description: 'Depósito de nómina', date: '2026-11-02T15:00:00Z' }
const correction: Correction = {
  id: 'reversal',
  corrected_id: 'mistake',
  replacement_id: null,
  reason: 'Era para otra cuenta',
  corrected_by: 'Ana Pérez',
  corrected_at: '2026-11-03T15:00:00Z',
}
const again: Correction = { ...correction, id: 'second', corrected_id: 'reversal', corrected_by: null }

const replaced: Correction = { ...correction, corrected_id: 'typo', id: 'undone', replacement_id: 'right' }

function sentencesOf(id: string, corrected: typeof deposit | null = deposit): string[] {
  const { container, unmount } = render(
    <Corrections id={id} corrections={[correction, again, replaced]} correctedOf={() => corrected} />,
  )
  const sentences = [...container.querySelectorAll('p')].map(({ textContent }) => textContent)
  unmount()
  return sentences
}

test('a corrected transaction shows who corrected it and why', () => {
  expect(sentencesOf('mistake')).toEqual(['Corregido por Ana Pérez el 3 nov: Era para otra cuenta'])
  expect(sentencesOf('reversal')).toEqual([
    'Corrige «Depósito de nómina» del 2 nov: Era para otra cuenta',
    'Corregido por el banco el 3 nov: Era para otra cuenta',
  ])
  expect(sentencesOf('second', null)).toEqual([
    'Corrige un movimiento que ya no está en la lista: Era para otra cuenta',
  ])
  expect(sentencesOf('another')).toEqual([])
})

test('a replacement and the mistaken transaction refer to each other', () => {
  expect(sentencesOf('typo')).toEqual([
    'Corregido por Ana Pérez el 3 nov: Era para otra cuenta. El monto correcto quedó en otro movimiento.',
  ])
  expect(sentencesOf('right')).toEqual(['Reemplaza a «Depósito de nómina» del 2 nov: Era para otra cuenta'])
  expect(sentencesOf('right', null)).toEqual([
    'Reemplaza a un movimiento que ya no está en la lista: Era para otra cuenta',
  ])
})
