/** State of an uploaded or pasted table, which staff correct before they order it as a batch. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { lookupQuery, type FoundUser } from '#staff/users/users.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import type { DecimalMark } from '#uploads/figures.ts'
import type { Columns } from '#uploads/table.ts'

export type SheetMapping<Role extends string> = Columns<Role> & { readonly decimal: DecimalMark }

/** Holds the column mapping and the user's changes to the lines. A line is identified by its number in the file. */
export function useSheet<Mapping, Edit extends object>({ mapping: guessed }: ChosenFile<Mapping>) {
  const [mapping, setMapping] = useState(guessed)
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(new Map())
  const edit = (lines: readonly number[], change: Edit) =>
    setEdits(
      (all) => new Map([...all, ...lines.map((line) => [line, { ...all.get(line), ...change }] as const)]),
    )
  return { mapping, setMapping, edits, edit }
}

const nobody: readonly FoundUser[] = []

/**
 * Looks up users by their e-mail addresses or ids. `found` is `undefined` until the server has answered, and `retry` is
 * set if the request failed.
 */
export function useLookup(names: readonly string[]) {
  const wanted = useMemo(() => [...new Set(names)].sort(), [names])
  const users = useQuery(lookupQuery(wanted))
  const refetch = () => void users.refetch()
  return { found: wanted.length === 0 ? nobody : users.data, refetch, retry: users.isError ? refetch : null }
}

type Line = { readonly line: number }

/** Returns the line numbers, sorted by rank and then by position in the file. */
export function lineOrder<Each extends Line>(
  lines: readonly Each[],
  rankOf: (line: Each) => number,
): readonly number[] {
  return lines
    .map((each) => ({ line: each.line, rank: rankOf(each) }))
    .sort((one, other) => one.rank - other.rank || one.line - other.line)
    .map(({ line }) => line)
}

/** Sorts lines by an order that was computed before the user's changes, so that a corrected line keeps its place. */
export function inOrder<Each extends Line>(lines: readonly Each[], order: readonly number[]): Each[] {
  const byLine = new Map(lines.map((each) => [each.line, each]))
  return order.flatMap((line) => byLine.get(line) ?? [])
}
