import { useRef, useState, type ReactNode } from 'react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { TableRefusal } from '#api/errors.ts'
import { refusalMessage } from '#api/refusals.ts'
import { newIdempotencyKey } from '#api/repeatable.ts'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { FormEnd } from '#ui/form/field.tsx'
import { isRetryable } from '#ui/form/form.ts'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { uploadCopy } from './copy.ts'
import { NamedLines, type NamedLine } from './named-lines.tsx'

type Copy = Readonly<
  Record<
    | 'lookingUp'
    | 'lookupFailed'
    | 'without'
    | 'refused'
    | 'answerFirst'
    | 'sending'
    | 'failedTitle'
    | 'failedText',
    string
  >
> & {
  readonly broken: (count: number) => string
  readonly send: (count: number) => string
}

type Props = {
  /** Name of the file. */
  title: string
  copy: Copy
  /** Renders the fields with which the user can correct the column mapping. */
  fields: (isBusy: boolean) => ReactNode
  /** State of the request for the data with which the file is compared. `retry` is set if the request failed. */
  lookup: { readonly isDone: boolean; readonly retry: (() => void) | null }
  status: string
  /** Lines that could not be read and will not be sent. The user confirms these lines together. */
  broken?: readonly NamedLine[]
  /** Whether the file has lines that can be sent, either now or after the user makes a choice. */
  hasLines: boolean
  /** Whether the user has answered the questions of the page that uses this preview. */
  isAnswered: boolean
  /** Whether all required fields have a value. */
  isComplete: boolean
  /** The lines that would be sent now. */
  lines: readonly { readonly amountMinor: MinorUnits }[]
  /** Returns the line number in the file for a position that the database named in a refusal. */
  lineOf?: ((place: number) => number | undefined) | undefined
  /** Sends the lines and shows the result. `id` is the same when the same lines are sent again. */
  send: (id: string) => Promise<void>
  /** Label of the back button. By default, the button offers to choose another file. */
  another?: string | undefined
  onAnother: () => void
  /** Description of what sending the lines will do, shown next to the button. */
  effect?: ReactNode
  /** Content that shows the lines and the user's decisions about them. */
  children: ReactNode
}

/**
 * Preview of a file before it is sent. Shows the column mapping, the faulty lines, the valid lines, and a send button
 * with the total amount.
 */
export function Preview(props: Props) {
  const { title, copy, lines, hasLines, lookup, broken = [], isComplete, lineOf, send } = props
  const leftOutLines = broken.map(({ line }) => line).join(' ')
  const [confirmed, setConfirmed] = useState('')
  // A confirmation applies only to the lines that were on screen. If a new column mapping leaves out other lines, the
  // user must confirm again.
  const isWithout = leftOutLines === '' || confirmed === leftOutLines
  const { isBusy, failed, refused, start } = useSending(copy, lines, { lineOf, send })
  const isAnswered = props.isAnswered && isWithout
  const onChoose = (isChosen: boolean) => setConfirmed(isChosen ? leftOutLines : '')
  const choice = hasLines ? { label: copy.without, isChosen: isWithout, onChoose } : undefined
  return (
    <Card
      title={title}
      action={
        <Button variant="quiet" size="small" className="-mr-3" disabled={isBusy} onClick={props.onAnother}>
          {props.another ?? uploadCopy.another}
        </Button>
      }
    >
      <div className="file-parts">
        {props.fields(isBusy)}
        {lookup.isDone ? (
          <>
            <p role="status" className="font-semibold">
              {props.status}
            </p>
            <NamedLines title={copy.broken(broken.length)} lines={broken} choice={choice} />
            {props.children}
          </>
        ) : lookup.retry === null ? (
          <p className="flex items-center gap-3 text-sm text-muted">
            <Spinner size="small" />
            <span role="status">{copy.lookingUp}</span>
          </p>
        ) : (
          <RetryLine message={copy.lookupFailed} onRetry={lookup.retry} />
        )}
        <NamedLines title={copy.refused} lines={refused} />
      </div>
      {hasLines && (
        <footer className="file-foot">
          <div className="text-sm">
            {lookup.isDone && props.effect}
            {!isAnswered && <p className="text-muted">{copy.answerFirst}</p>}
          </div>
          <SendButton
            {...{ copy, lines, failed, isBusy, start }}
            isReady={lookup.isDone && lines.length > 0 && isComplete && isAnswered}
          />
        </footer>
      )}
    </Card>
  )
}

type SendProps = Pick<Props, 'lines'> &
  Pick<ReturnType<typeof useSending>, 'isBusy' | 'failed' | 'start'> & { copy: Copy; isReady: boolean }

function SendButton({ copy, lines, failed, isBusy, isReady, start }: SendProps) {
  return (
    <FormEnd
      type="button"
      error={failed?.sentence}
      isRetry={failed?.isRetry === true && !isBusy}
      disabled={!isReady}
      isBusy={isBusy}
      onClick={start}
    >
      {isBusy ? (
        <span role="status">{copy.sending}</span>
      ) : (
        <span>
          {copy.send(lines.length)}
          <MoneyText>{displayedMinor(sumOf(lines))}</MoneyText>
        </span>
      )}
    </FormEnd>
  )
}

/** Sends the lines in one call, and remembers the lines that the database refused. */
function useSending(
  copy: Copy,
  lines: Props['lines'],
  { lineOf = (place) => place, send }: Pick<Props, 'lineOf' | 'send'>,
) {
  const last = useRef({ content: '', id: '' })
  const [refused, setRefused] = useState<readonly NamedLine[]>([])
  const [failed, setFailed] = useState<{ sentence: string; isRetry: boolean }>()
  const { isBusy, run } = useTask((error) => {
    const call = { name: 'upload', title: copy.failedTitle, refusals: { otherwise: copy.failedText } }
    const refusal = refusalMessage(error, call)
    showFailure(refusal)
    setFailed({ sentence: refusal.description, isRetry: isRetryable(error) })
  })
  const start = () =>
    run(async () => {
      setRefused([])
      setFailed(undefined)
      const content = JSON.stringify(lines)
      if (last.current.content !== content) last.current = { content, id: newIdempotencyKey() }
      try {
        await send(last.current.id)
      } catch (error) {
        setRefused(
          lineFaults(error).flatMap(({ line: place, message }) => {
            const line = lineOf(place)
            return line === undefined ? [] : [{ line, words: message }]
          }),
        )
        throw error
      }
    })
  return { isBusy, failed, refused, start }
}

/** Returns the lines that the database refused (PT422) and the reasons, or an empty list for any other error. */
function lineFaults(error: unknown): readonly { line: number; message: string }[] {
  const hasLines = error instanceof TableRefusal && error.code === 'PT422' && error.details !== ''
  return hasLines ? (JSON.parse(error.details) as { line: number; message: string }[]) : []
}
