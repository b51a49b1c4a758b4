/** Generates files of banks together with the transactions that they contain, for the tests of the judgement. */
import type { Booking, CorpusFile } from './corpus-file.ts'
import { randomOf, type Random } from './random.ts'
import { tableFile } from './corpus-tables.ts'
import { formatFile } from './corpus-formats.ts'

const words: readonly [string, ...string[]] = [
  'Panadería La Espiga',
  'Mercado Central',
  'Bus',
  'Arriendo',
  'Librería Lerner',
  'Droguería Sur',
  'Gimnasio',
  'Luz y agua',
  'Cine',
  'Taxi',
  'Restaurante El Sol',
  'Café Azul',
  'Peluquería Ñáñez',
  'Internet',
  'Ferretería 15',
]
const incomeWords: readonly [string, ...string[]] = [
  'Nómina Acme',
  'Arriendo recibido de Ana',
  'Venta de bicicleta',
  'Intereses',
]

/** The last day that a file of the corpus may contain. */
const lastDay = Date.UTC(2026, 10, 27)
const dayMs = 86_400_000

export function corpusFile(seed: number): CorpusFile {
  const random = randomOf(seed)
  const currency = random.chance(0.5) ? 'USD' : 'COP'
  const bookings = bookingsOf(random)
  return random.chance(0.65) ? tableFile(random, bookings, currency) : formatFile(random, bookings, currency)
}

/** Returns transactions from the oldest to the newest, with at least one of each direction. */
function bookingsOf(random: Random): Booking[] {
  const count = random.pick([random.between(3, 8), random.between(5, 16)])
  const period = random.pick([3, 20, 28, 60, 300])
  const first = lastDay - random.between(period, period + 400) * dayMs
  const days = Array.from({ length: count }, () => random.between(0, period)).sort(
    (one, other) => one - other,
  )
  return days.map((offset, place) => {
    const isIncome = place === 1 || (place !== 0 && random.chance(0.25))
    const minor = random.pick([
      random.between(101, 99_999),
      random.between(100_000, 9_999_999),
      random.between(1, 400) * 2500,
    ])
    const description = random.pick(isIncome ? incomeWords : words)
    return {
      day: new Date(first + offset * dayMs).toISOString().slice(0, 10),
      minor: isIncome ? minor : -minor,
      description: `${description} ${place + 1}`,
    }
  })
}
