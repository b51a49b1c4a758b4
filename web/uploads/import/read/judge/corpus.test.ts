import { expect, test } from 'vitest'
import { linesOf, readLines, type ReadLines } from '#uploads/import/testing/read-lines.ts'
import { corpusFile } from '#uploads/import/testing/corpus.ts'
import type { CorpusFile } from '#uploads/import/testing/corpus-file.ts'

/** Number of generated files. The nightly run reads many more. */
const files = Number(process.env['BANK_FILES'] ?? 2100)

/** Number of files that one test reads. */
const filesOfPart = 300

/** Returns a description of the first fault, or `null` if the file was read rightly. */
async function faultOf(file: CorpusFile): Promise<string | null> {
  const read = await readLines(file.content, { currency: file.currency })
  const superfluous = read.judgement.questions.filter((question) => !file.allowed.has(question))
  if (superfluous.length > 0) return `asks about ${superfluous.join()}`
  const asked = Object.keys(file.truth).filter((answer) =>
    read.judgement.questions.some((question) => answerOf[question] === answer),
  )
  const answers = Object.fromEntries(
    asked.map((answer) => [answer, file.truth[answer as keyof typeof file.truth]]),
  )
  const answered = asked.length === 0 ? read : linesOf(read.table, { currency: file.currency, answers })
  if (answered.judgement.questions.length > 0)
    return `still asks about ${answered.judgement.questions.join()}`
  const [seen, expected] = [
    transactionsOf(answered),
    file.bookings.map(({ day, minor, description }) => `${day} ${minor} ${description}`),
  ]
  const wrong = expected.findIndex((each, place) => each !== seen[place])
  if (wrong !== -1 || seen.length !== expected.length)
    return `reads ${seen[wrong] ?? seen.at(-1)} instead of ${expected[wrong]}`
  return answered.broken.length > 0
    ? `finds unreadable lines: ${answered.broken.map(({ text }) => text).join(' / ')}`
    : null
}

const answerOf: Readonly<Record<string, string>> = {
  direction: 'expenseSign',
  dayOrder: 'dayOrder',
  decimal: 'decimal',
  fee: 'isFeeExtra',
  year: 'year',
}

function transactionsOf({ expenses, incomes }: ReadLines): string[] {
  return [
    ...expenses.map((each) => ({ ...each, minor: -Number(each.amountMinor) })),
    ...incomes.map((each) => ({ ...each, minor: Number(each.amountMinor) })),
  ]
    .sort((one, other) => one.line - other.line)
    .map(({ day, minor, description }) => `${day} ${minor} ${description}`)
}

const parts = Array.from({ length: Math.ceil(files / filesOfPart) }, (_, part) => part * filesOfPart)

test.for(parts)('generated files from number %i are read rightly', async (first) => {
  const faults: string[] = []
  for (let seed = first; seed < first + filesOfPart; seed += 1) {
    const file = corpusFile(seed)
    const fault = await faultOf(file)
    if (fault !== null) faults.push(`file ${seed} (${file.name}) ${fault}`)
  }
  expect(faults).toEqual([])
})
