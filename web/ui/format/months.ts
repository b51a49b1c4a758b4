/**
 * Calculates with calendar months, written as `2026-11`, and with days, written as in a date field (`2026-11-20`). In
 * both formats, the alphabetical order is the chronological order.
 */
import { monthName, monthNameShort } from './dates.ts'

export function monthOf(day: string): string {
  return day.slice(0, 7)
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

export function daysIn(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}

/** Returns the number of days that remain in a day's month, including the day itself. */
export function daysLeftIn(day: string): number {
  return daysIn(monthOf(day)) - Number(day.slice(8)) + 1
}

/** Returns the part of a day's month that has passed at the end of the day, from 0 to 1. */
export function partOfMonth(day: string): number {
  return Number(day.slice(8)) / daysIn(monthOf(day))
}

export function firstDay(month: string): string {
  return `${month}-01`
}

export function lastDay(month: string): string {
  return `${month}-${daysIn(month)}`
}

const monthsOfPeriod = { month: 1, quarter: 3, half: 6, year: 12 }

/** Returns the first day of a period that consists of whole calendar months, including the current one. */
export function startOfPeriod(period: keyof typeof monthsOfPeriod, today: string): string {
  return firstDay(addMonths(monthOf(today), 1 - monthsOfPeriod[period]))
}

/** Older transactions cannot exist, because the database refuses dates that are more than ten years in the past. */
const yearsMax = 10

/** Returns the earliest day on which a period may start. */
export function earliestDay(today: string): string {
  return `${Number(today.slice(0, 4)) - yearsMax}-01-01`
}

/** Returns all months from `from` through `to`, or an empty list if `from` is later than `to`. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month)
  return months
}

/** Returns `noviembre`. */
export function formatMonth(month: string): string {
  return monthName(Number(month.slice(5)))
}

/** Returns `nov`, for chart labels. */
export function formatMonthShort(month: string): string {
  return monthNameShort(Number(month.slice(5)))
}

/** Returns `noviembre de 2026`. */
export function formatMonthAndYear(month: string): string {
  return `${formatMonth(month)} de ${month.slice(0, 4)}`
}
