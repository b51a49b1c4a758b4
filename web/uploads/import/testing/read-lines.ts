/** Reads a file as the page does, and formats its lines for the comparisons of tests. */
import { finish } from '#uploads/pieces.ts'
import type { BankTable } from '#uploads/import/read/judge/headings.ts'
import type { Answers } from '#uploads/import/read/judge/answers.ts'
import { judge, type Judgement } from '#uploads/import/read/judge/judge.ts'
import {
  readExpenses,
  type FileTransaction,
  type ReadExpenses,
} from '#uploads/import/read/expenses-from-rows.ts'
import { readFile, type ReadFile } from '#uploads/import/read/read-file.ts'
import type { Conversion } from '#uploads/import/read/conversion.ts'

export const days = { first: '2016-11-24', last: '2026-11-28' }

type Circumstances = {
  readonly currency?: string
  readonly answers?: Answers
  readonly conversion?: Conversion
}

export type ReadLines = ReadExpenses & { readonly judgement: Judgement; readonly table: BankTable }

/** Throws an error if the file is refused. */
export async function readLines(
  file: Uint8Array | string,
  { currency = 'COP', answers = {}, conversion }: Circumstances = {},
): Promise<ReadLines> {
  const { mapping } = accepted(await readFile(file, { currency, last: days.last }))
  return linesOf(mapping, { currency, answers, ...(conversion !== undefined && { conversion }) })
}

export function linesOf(
  mapping: BankTable,
  { currency = 'COP', answers = {}, conversion }: Circumstances,
): ReadLines {
  const judgement = finish(judge(mapping, answers, { bankCurrency: currency, last: days.last }))
  return {
    ...finish(readExpenses(judgement, { ...days, currency, conversion: conversion ?? null })),
    judgement,
    table: mapping,
  }
}

export function accepted(read: ReadFile) {
  if (!read.ok) throw new Error(`It was not read: ${read.reason}`)
  return read
}

/** Formats expenses and incomes as `line day amount description`, and other lines by their number and reason. */
export function summaryOf({ expenses, incomes, broken, judgement }: ReadLines) {
  return {
    expenses: expenses.map(textOf),
    incomes: incomes.map(textOf),
    broken: broken.map(({ line, fault }) => `${line} ${fault}`),
    skipped: judgement.skipped.map(({ line, reason }) => `${line} ${reason}`),
    questions: judgement.questions,
  }
}

function textOf({ line, day, amountMinor, description }: FileTransaction): string {
  return `${line} ${day} ${(amountMinor / 100).toFixed(2)} ${description}`
}
