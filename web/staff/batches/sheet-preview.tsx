import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentProps, type ReactNode } from 'react'
import type { TextLengthMax } from '@finanzas/contract/database-types.ts'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { sumOf } from '#amounts/amounts.ts'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { useGo } from '#ui/address/address.tsx'
import { InputField } from '#ui/form/field.tsx'
import { asLine } from '#ui/form/form.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { DecimalField, MappingDetails } from '#uploads/mapping-details.tsx'
import { Question } from '#uploads/named-lines.tsx'
import { Preview } from '#uploads/preview.tsx'
import { batchesQuery, batchQuery, type Batch } from './batches.ts'
import type { SheetMapping } from './sheet.ts'

type PreviewProps = ComponentProps<typeof Preview>

type Props<Role extends string, Mapping extends SheetMapping<Role>> = Pick<
  PreviewProps,
  'lookup' | 'lines' | 'another' | 'onAnother' | 'effect' | 'children'
> & {
  sheet: ChosenFile<Mapping>
  copy: PreviewProps['copy'] &
    Readonly<Record<'title' | 'missing' | 'nothing' | 'sendAgain' | 'purpose', string>> & {
      readonly roles: Readonly<Record<Role, string>>
      readonly ready: (count: number) => string
      readonly sentBefore: (when: string) => string
    }
  /** The state of the uploaded or pasted table (see `useSheet`). */
  state: {
    readonly mapping: Mapping
    readonly setMapping: (mapping: Mapping) => void
    readonly edit: (lines: readonly number[], change: { isOut: boolean }) => void
  }
  /** Whether the table has a column for every required field. */
  isMapped: boolean
  /** Whether the additional fields have a value. */
  isComplete?: boolean
  /** Additional fields, shown next to the fields for the columns. */
  fields?: ReactNode
  /** The faulty lines, which staff must correct or exclude. */
  faulty: readonly { readonly line: number; readonly isOut: boolean | undefined }[]
  /**
   * Called with an earlier batch that has the same number of lines and the same total. Returns whether this batch may
   * be the same order.
   */
  isTwin: (batch: Batch) => boolean
  order: (order: { id: string; title: string }) => Promise<Batch>
  /** Called before the page of the ordered batch opens. */
  onSent?: (batch: Batch) => void
}

const titleLengthMax: TextLengthMax['batches']['title'] = 200

/**
 * Preview of an uploaded or pasted table, which staff can order as one batch. After the order, the page of the batch
 * opens.
 */
export function SheetPreview<Role extends string, Mapping extends SheetMapping<Role>>({
  sheet,
  copy,
  state,
  isMapped,
  isComplete = true,
  fields,
  faulty,
  isTwin,
  order,
  onSent,
  children,
  ...preview
}: Props<Role, Mapping>) {
  const { lines } = preview
  const { title, setTitle, send, dialog } = useOrder({
    name: sheet.name,
    purpose: copy.purpose,
    order,
    onSent,
  })
  const twin = useTwin(lines, isTwin)
  const isWithout = faulty.every(({ isOut }) => isOut)
  return (
    <>
      <Preview
        {...preview}
        title={sheet.name}
        copy={copy}
        fields={(isBusy) => (
          <OrderFields {...{ sheet, copy, state, isMapped, isBusy, title, setTitle }}>{fields}</OrderFields>
        )}
        status={lines.length === 0 ? copy.nothing : copy.ready(lines.length)}
        hasLines={lines.length > 0}
        isAnswered={isWithout && twin.isAnswered}
        isComplete={isComplete}
        send={send}
      >
        <FaultyLines
          {...{ faulty, isWithout }}
          edit={state.edit}
          hasOthers={lines.length > 0}
          title={copy.broken(faulty.length)}
          label={copy.without}
        />
        {twin.batch !== undefined && (
          <Question
            title={copy.sentBefore(formatDateTimeShort(twin.batch.created_at))}
            choice={{ label: copy.sendAgain, ...twin.choice }}
          />
        )}
        {children}
      </Preview>
      {dialog}
    </>
  )
}

type FieldsProps<Role extends string, Mapping extends SheetMapping<Role>> = Pick<
  Props<Role, Mapping>,
  'sheet' | 'copy' | 'state' | 'isMapped' | 'children'
> & { isBusy: boolean; title: string; setTitle: (title: string) => void }

/** The title of the batch, and the fields that say which column of the table is which. */
function OrderFields<Role extends string, Mapping extends SheetMapping<Role>>({
  sheet,
  copy,
  state: { mapping, setMapping },
  isMapped,
  isBusy,
  title,
  setTitle,
  children,
}: FieldsProps<Role, Mapping>) {
  return (
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
        <DecimalField value={mapping.decimal} onChange={(decimal) => setMapping({ ...mapping, decimal })} />
        {children}
      </MappingDetails>
    </>
  )
}

/** Finds an earlier batch that may be the same order. Staff must then choose to send the order again. */
function useTwin(lines: PreviewProps['lines'], isTwin: (batch: Batch) => boolean) {
  const [isAgain, setIsAgain] = useState(false)
  const { data: past = [] } = useQuery(batchesQuery)
  const sumMinor = sumOf(lines)
  const batch = past.find(
    (earlier) =>
      earlier.lines === lines.length && minorFromDecimal(earlier.amount) === sumMinor && isTwin(earlier),
  )
  return {
    batch,
    isAnswered: batch === undefined || isAgain,
    choice: { isChosen: isAgain, onChoose: setIsAgain },
  }
}

type Order = {
  name: string
  purpose: string
  order: (order: { id: string; title: string }) => Promise<Batch>
  onSent: ((batch: Batch) => void) | undefined
}

/** Orders the batch under the title that staff can change, and opens its page. */
function useOrder({ name: fileName, purpose, order, onSent }: Order) {
  const client = useQueryClient()
  const go = useGo()
  const [title, setTitle] = useState(fileName)
  const { proven, dialog } = useProof(purpose)
  const send = async (id: string) => {
    const name = [...(asLine(title) || asLine(fileName))].slice(0, titleLengthMax).join('')
    const batch = await proven(() => order({ id, title: name }))
    client.setQueryData(batchQuery(batch.id).queryKey, batch)
    void client.invalidateQueries({ queryKey: batchesQuery.queryKey, exact: true })
    onSent?.(batch)
    go(`/admin/abonos?lote=${batch.id}`)
  }
  return { title, setTitle, send, dialog }
}

type FaultyProps = {
  faulty: readonly { readonly line: number }[]
  edit: (lines: readonly number[], change: { isOut: boolean }) => void
  isWithout: boolean
  /** Whether the file has lines without mistakes. */
  hasOthers: boolean
  title: string
  label: string
}

/** Asks whether to leave out the faulty lines. */
function FaultyLines({ faulty, edit, isWithout, hasOthers, title, label }: FaultyProps) {
  if (faulty.length === 0) return null
  const onChoose = (isOut: boolean) =>
    edit(
      faulty.map(({ line }) => line),
      { isOut },
    )
  // Without other lines, leaving out the faulty lines would leave nothing to send.
  const choice = hasOthers || isWithout ? { label, isChosen: isWithout, onChoose } : undefined
  return <Question title={title} choice={choice} />
}
