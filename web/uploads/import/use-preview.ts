import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { configuration } from '#api/configuration.ts'
import { categorizationQuery, rulingOf, type Categorization } from '#categories/rules.ts'
import { dayOf, isoDay } from '#ui/format/dates.ts'
import type { History } from '#data/history.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import { readImportLines, type ImportLine } from '#uploads/import-lines.ts'
import type { Work } from '#uploads/pieces.ts'
import { useWork } from '#uploads/use-work.ts'
import { historyQuery, dataKeys } from '#data/queries.ts'
import { expenseDays } from '#money/expense/expense-days.ts'
import { useUser } from '#people/session/session.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import {
  chosenExpenses,
  groupDoubts,
  groupTransactions,
  type Categorizer,
  type Choice,
  type Group,
} from './groups.ts'
import { likeDays, splitKnown, type Split } from './match.ts'
import { missingOperation } from '#uploads/import/read/conversion.ts'
import type { BankTable } from '#uploads/import/read/judge/headings.ts'
import { noAnswers, type Answers } from '#uploads/import/read/judge/answers.ts'
import { judge, type Judgement } from '#uploads/import/read/judge/judge.ts'
import type { CurrencyAnswer } from './currency-question.tsx'
import {
  readExpenses,
  type FileTransaction,
  type ReadExpenses,
} from '#uploads/import/read/expenses-from-rows.ts'

/** Number of the customer's latest expenses that are used for proposing categories and guessing the currency. */
const rememberedMax = 5000

/** The code for category proposals is loaded when the user chooses the first file. */
const proposals = lazyCode(() => import('#categories/proposals.ts'), 'createProposals')

/** Holds the state of a file whose expenses have not been recorded yet, including the user's choices. */
export function usePreview(file: ChosenFile<BankTable>) {
  const user = useUser()
  const history = useQuery(historyQuery(user.id))
  const answering = useAnswers()
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const rows = useDeferredValue(useMemo(() => wholeHistory(history.data), [history.data]))

  const { answers, currencyAnswer } = answering
  const { conversion } = currencyAnswer
  const reading = useWork(
    useCallback(() => readingOf(file.mapping, { answers, conversion }), [file.mapping, answers, conversion]),
    file.table.rows.length <= shortWork,
  )
  const { judgement, lines } = reading.result ?? notRead
  const days = useMemo(() => daysOf(lines.expenses), [lines])
  const imported = useQuery({ ...importedQuery(user.id, days), enabled: reading.result !== null })
  const own = useMemo(() => latestExpenses(rows ?? []), [rows])
  const { categories, categorizer } = useCategorizer(user.id, own)
  const suspected = useMemo(() => suspectedOperation(lines, own), [lines, own])
  const comparison = useWork(
    useCallback(
      () =>
        comparisonOf(lines, { rows, imported: imported.data, categorizer, isConverted: conversion !== null }),
      [lines, rows, imported.data, categorizer, conversion],
    ),
    file.table.rows.length + (rows?.length ?? 0) <= shortWork,
  )
  const { fresh, known, groups, doubts, isCompared } = comparison.result ?? notCompared
  const expenses = useMemo(() => chosenExpenses([...groups, ...doubts], choices), [groups, doubts, choices])
  const choose = (key: string, choice: Choice) =>
    setChoices((before) => new Map(before).set(key, { ...before.get(key), ...choice }))

  const failed = [history, imported].filter(({ isError }) => isError)

  return {
    ...answering,
    judgement,
    lines,
    fresh,
    known,
    /** Groups of new expenses and incomes. */
    groups,
    /** The currency conversion that the amounts seem to need, or `null`. */
    suspected,
    /** Expenses that may have been recorded already, each in a separate group. */
    doubts,
    /** The customer's own categories. */
    own: categories,
    choices,
    choose,
    /** The expenses that will be recorded when the user presses the button. */
    expenses,
    isCompared,
    /** Whether the lines are those of the latest answers. */
    isCurrent: reading.isCurrent && comparison.isCurrent,
    compareAgain: failed.length === 0 ? null : () => failed.forEach((reading) => void reading.refetch()),
  }
}

function latestExpenses(rows: readonly Transaction[]): Transaction[] {
  return rows.filter(({ type }) => type === 'expense').slice(0, rememberedMax)
}

/** Holds the user's answers to the questions about the file and its currency. */
function useAnswers() {
  const [answers, setAnswers] = useState<Answers>(noAnswers)
  const [currencyAnswer, setCurrencyAnswer] = useState<CurrencyAnswer>(noCurrencyAnswer)
  const answer = (changed: Answers) => {
    // A conversion of other amounts needs another answer.
    if (changed.places !== answers.places && currencyAnswer.conversion === null)
      setCurrencyAnswer(noCurrencyAnswer)
    setAnswers(changed)
  }
  return { answers, answer, currencyAnswer, setCurrencyAnswer }
}

/** Returns the customer's own categories, and how they categorize: by their rules, and as they did earlier expenses. */
function useCategorizer(userId: string, earlier: readonly Transaction[]) {
  const { data: createProposals } = useLazyCode(proposals)
  const categorization = useQuery(categorizationQuery(userId)).data ?? noCategorization
  const categorizer = useMemo(
    () => ({
      ruling: rulingOf(categorization.rules),
      propose: createProposals?.(earlier, categorization) ?? (() => ''),
    }),
    [createProposals, earlier, categorization],
  )
  return { categories: categorization.categories, categorizer }
}

/** Number of rows that are judged and compared within a moment. */
const shortWork = 2000

type Reading = { readonly judgement: Judgement | null; readonly lines: ReadExpenses }

const notRead: Reading = {
  judgement: null,
  lines: { expenses: [], incomes: [], broken: [], isCurrencyNamed: false },
}

/** Judges the file, and sorts its rows into expenses, incomes and faulty lines. */
function* readingOf(
  table: BankTable,
  { answers, conversion }: { answers: Answers; conversion: CurrencyAnswer['conversion'] },
): Work<Reading> {
  const { displayCurrency: currency } = configuration()
  const accepted = { ...expenseDays(), currency, conversion }
  const judgement = yield* judge(table, answers, { bankCurrency: currency, last: accepted.last })
  return { judgement, lines: yield* readExpenses(judgement, accepted) }
}

type Comparison = Pick<Split, 'fresh' | 'known'> & {
  readonly groups: readonly Group[]
  readonly doubts: readonly Group[]
  /** Whether the history was known. */
  readonly isCompared: boolean
}

const notCompared: Comparison = { fresh: [], known: [], groups: [], doubts: [], isCompared: false }

/** Compares the expenses with the history, and groups those that may be recorded. */
function* comparisonOf(
  { expenses, incomes }: ReadExpenses,
  {
    rows,
    imported,
    categorizer,
    isConverted,
  }: {
    rows: readonly Transaction[] | null
    imported: readonly ImportLine[] | undefined
    categorizer: Categorizer
    isConverted: boolean
  },
): Work<Comparison> {
  const { fresh, known, doubtful } = yield* splitKnown(expenses, rows ?? [], imported ?? [], { isConverted })
  const groups = yield* groupTransactions({ expenses: fresh, incomes }, categorizer)
  const doubts = yield* groupDoubts(doubtful, categorizer)
  return { fresh, known, groups, doubts, isCompared: rows !== null && imported !== undefined }
}

/**
 * Returns the currency conversion that the file's amounts seem to need, judging by the customer's earlier amounts.
 * Returns `null` if the file specifies a currency.
 */
function suspectedOperation({ expenses, isCurrencyNamed }: ReadExpenses, own: readonly Transaction[]) {
  if (isCurrencyNamed) return null
  return missingOperation(
    expenses.map(({ amountMinor }) => amountMinor),
    own.flatMap(({ amount }) => minorFromDecimal(amount) ?? []),
    configuration().displayCurrency,
  )
}

/** Reads the earlier imported lines on the file's days. */
function importedQuery(userId: string, days: ReturnType<typeof daysOf>) {
  return queryOptions({
    queryKey: [...dataKeys.imports(userId), 'lines', days],
    queryFn: ({ signal }) => (days === null ? [] : readImportLines(days, signal)),
  })
}

/**
 * Returns the first and last day on which the history may contain an expense of the file, or `null` if the file does
 * not contain expenses.
 */
function daysOf(expenses: readonly FileTransaction[]): { first: string; last: string } | null {
  const days = expenses.map(({ day }) => day).sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  return { first: isoDay(dayOf(first) - likeDays), last: isoDay(dayOf(last) + likeDays) }
}

const noCurrencyAnswer: CurrencyAnswer = { conversion: null, isCurrencyAnswered: false }

const noCategorization: Categorization = { categories: [], rules: [] }

/** Returns all rows of the history, newest first, or `null` while some rows have not been read. */
function wholeHistory(history: History | undefined) {
  return history?.isComplete === true ? history.pages.flat() : null
}
