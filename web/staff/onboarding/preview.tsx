import { useMemo } from 'react'
import { SheetPreview } from '#staff/batches/sheet-preview.tsx'
import { inOrder, lineOrder, useLookup, useSheet } from '#staff/batches/sheet.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { onboardingCopy as copy } from './copy.ts'
import { isFaulty, readCustomers, type ColumnMapping, type Edit } from './customers-from-rows.ts'
import { EditList } from './edit-list.tsx'
import { orderCustomers } from './onboarding.ts'

type Props = { sheet: ChosenFile<ColumnMapping>; onAnother: () => void }

const nobody: ReadonlySet<string> = new Set()
const unchanged: ReadonlyMap<number, Edit> = new Map()

/** Preview of a file of new customers. */
export function CustomersPreview({ sheet, onAnother }: Props) {
  const { table } = sheet
  const state = useSheet<ColumnMapping, Edit>(sheet)
  const { mapping, edits } = state
  const emails = useMemo(
    () =>
      readCustomers(table, mapping, unchanged, nobody).flatMap(({ email, faults }) =>
        faults.email === undefined ? [email] : [],
      ),
    [table, mapping],
  )
  const { found, retry, refetch } = useLookup(emails)
  const taken = useMemo(
    () => new Set((found ?? []).filter(({ is_unclaimed }) => !is_unclaimed).map(({ name }) => name)),
    [found],
  )
  const order = useMemo(
    () => lineOrder(readCustomers(table, mapping, unchanged, taken), (each) => (isFaulty(each) ? 0 : 1)),
    [table, mapping, taken],
  )
  const lines = useMemo(
    () => inOrder(readCustomers(table, mapping, edits, taken), order),
    [table, mapping, edits, taken, order],
  )
  const customers = useMemo(
    () => lines.filter((each) => !each.isOut && !isFaulty(each)).sort((one, other) => one.line - other.line),
    [lines],
  )
  const isMapped = mapping.name !== null && mapping.email !== null
  return (
    <SheetPreview
      sheet={sheet}
      copy={copy}
      state={state}
      isMapped={isMapped}
      lookup={{ isDone: found !== undefined, retry }}
      faulty={isMapped ? lines.filter(isFaulty) : []}
      isTwin={({ opens_accounts }) => opens_accounts}
      lines={customers}
      order={({ id, title }) =>
        orderCustomers({ id, title, customers }).catch((refusal: unknown) => {
          // A person may have signed up with an address of the file since the look-up. The line is then marked as taken.
          refetch()
          throw refusal
        })
      }
      onAnother={onAnother}
      effect={<p className="text-muted">{copy.effect}</p>}
    >
      {isMapped && (
        <EditList
          title={copy.allLines(lines.length)}
          lines={lines}
          onEdit={(line, edit) => state.edit([line], edit)}
        />
      )}
    </SheetPreview>
  )
}
