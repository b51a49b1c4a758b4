import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { batchesQuery, type Batch } from '#features/admin/deposits/batches.ts'
import { lookupQuery } from '#features/admin/users/users.ts'
import { formatDateTimeShort } from '#format/dates.ts'
import { sumOf } from '#money/amounts.ts'
import { useProof } from '#session/proof/use-proof.tsx'
import { asLine } from '#ui/form/form.ts'
import { InputField } from '#ui/form/field.tsx'
import type { ChosenFile } from '#upload/choose-card.tsx'
import { DecimalField, MappingDetails } from '#upload/mapping-details.tsx'
import { Question } from '#upload/named-lines.tsx'
import { Preview } from '#upload/preview.tsx'
import { onboardingCopy as copy } from './copy.ts'
import { isFaulty, readCustomers, type ColumnMapping, type Edit } from './customers-from-rows.ts'
import { EditList } from './edit-list.tsx'
import { orderCustomers } from './onboarding.ts'

type Props = {
  sheet: ChosenFile<ColumnMapping>
  onAnother: () => void
  onSent: (batch: Batch) => void
}

const titleLengthMax = 200
const nobody: ReadonlySet<string> = new Set()

/** Preview of a file of customers that staff can then order as one batch. */
export function CustomersPreview({ sheet, onAnother, onSent }: Props) {
  const [title, setTitle] = useState(sheet.name)
  const [mapping, setMapping] = useState(sheet.mapping)
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(new Map())
  const [isAgain, setIsAgain] = useState(false)
  const { proven, dialog } = useProof(copy.purpose)
  const original = useMemo(
    () => readCustomers(sheet.table, mapping, new Map(), nobody),
    [sheet.table, mapping],
  )
  const emails = useMemo(
    () => [...new Set(original.filter(({ faults }) => faults.email === undefined).map(({ email }) => email))],
    [original],
  )
  const lookup = useQuery(lookupQuery(emails))
  const isLookedUp = emails.length === 0 || lookup.data !== undefined
  const lines = useMemo(() => {
    const taken = new Set((lookup.data ?? []).map(({ name }) => name))
    // The order stays the same while lines are corrected.
    const first = readCustomers(sheet.table, mapping, new Map(), taken)
    const faultyFirst = new Map(first.map((each) => [each.line, isFaulty(each) ? 0 : 1]))
    return readCustomers(sheet.table, mapping, edits, taken).sort(
      (one, other) =>
        (faultyFirst.get(one.line) ?? 1) - (faultyFirst.get(other.line) ?? 1) || one.line - other.line,
    )
  }, [sheet.table, mapping, edits, lookup.data])
  const customers = useMemo(
    () => lines.filter((each) => !each.isOut && !isFaulty(each)).sort((one, other) => one.line - other.line),
    [lines],
  )
  const { data: past = [] } = useQuery(batchesQuery)
  const sumMinor = sumOf(customers)
  const twin = past.find(
    ({ lines: count, amount, opens_accounts }) =>
      opens_accounts && count === customers.length && minorFromDecimal(amount) === sumMinor,
  )
  const edit = (changed: readonly number[], change: Edit) =>
    setEdits(
      (all) => new Map([...all, ...changed.map((line) => [line, { ...all.get(line), ...change }] as const)]),
    )
  const faulty = lines.filter(isFaulty)
  const isWithout = faulty.every(({ isOut }) => isOut)
  const isMapped = mapping.name !== null && mapping.email !== null
  const send = async (id: string) => {
    const name = [...(asLine(title) || asLine(sheet.name))].slice(0, titleLengthMax).join('')
    onSent(await proven(() => orderCustomers({ id, title: name, customers })))
  }
  return (
    <>
      <Preview
        title={sheet.name}
        copy={copy}
        fields={(isBusy) => (
          <>
            <InputField
              label={copy.title}
              value={title}
              maxLength={titleLengthMax}
              disabled={isBusy}
              onChange={({ target }) => setTitle(target.value)}
            />
            <MappingDetails
              table={sheet.table}
              roles={copy.roles}
              mapping={mapping}
              onChoose={(role, place) => setMapping({ ...mapping, [role]: place })}
              missing={isMapped ? null : copy.missing}
            >
              <DecimalField
                value={mapping.decimal}
                onChange={(decimal) => setMapping({ ...mapping, decimal })}
              />
            </MappingDetails>
          </>
        )}
        lookup={{ isDone: isLookedUp, retry: lookup.isError ? () => void lookup.refetch() : null }}
        status={customers.length === 0 ? copy.nothing : copy.ready(customers.length)}
        broken={[]}
        hasLines={isMapped && customers.length > 0}
        isAnswered={isWithout && (twin === undefined || isAgain)}
        isComplete={isMapped}
        lines={customers}
        send={send}
        onAnother={onAnother}
        effect={<p className="text-muted">{copy.effect}</p>}
      >
        {isMapped && faulty.length > 0 && (
          <Question
            title={copy.broken(faulty.length)}
            choice={{
              label: copy.without,
              isChosen: isWithout,
              onChoose: (isOut) =>
                edit(
                  faulty.map(({ line }) => line),
                  { isOut },
                ),
            }}
          />
        )}
        {twin !== undefined && (
          <Question
            title={copy.sentBefore(formatDateTimeShort(twin.created_at))}
            choice={{ label: copy.sendAgain, isChosen: isAgain, onChoose: setIsAgain }}
          />
        )}
        {isMapped && (
          <EditList
            title={copy.allLines(lines.length)}
            lines={lines}
            onEdit={(line, change) => edit([line], change)}
          />
        )}
      </Preview>
      {dialog}
    </>
  )
}
