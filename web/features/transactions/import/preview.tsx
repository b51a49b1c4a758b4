import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { refusalMessage } from '#backend/errors.ts'
import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { importCopy } from './copy.ts'
import type { ChosenFile } from './file-card.tsx'
import { GroupList } from './group-list.tsx'
import { sumOf } from './groups.ts'
import { refusedLines, sendImport, type PastImport } from './imports.ts'
import { isAmountOpen, isIncomplete, MappingFields } from './mapping-fields.tsx'
import { LeftOut } from './left-out.tsx'
import { NamedLines, type NamedLine } from '#upload/named-lines.tsx'
import { useContentId } from '#upload/content-id.ts'
import { uploadCopy } from '#upload/copy.ts'
import type { Movement } from '#features/transactions/import/read/expenses-from-rows.ts'
import { usePreview } from './use-preview.ts'

type Props = {
  file: ChosenFile
  onAnother: () => void
  onDone: (imported: PastImport) => void
}

/** A file before it is recorded: how it was read, its new expenses, and one button to record them all. */
export function Preview({ file, onAnother, onDone }: Props) {
  const preview = usePreview(file)
  const { mapping, lines, known, groups, doubts, choices, expenses, isCompared } = preview
  const [isWithoutBroken, setIsWithoutBroken] = useState(false)
  const { isBusy, refused, send } = useSending(onDone)
  const isAnswered = (lines.broken.length === 0 || isWithoutBroken) && !isAmountOpen(mapping)
  const isReady = isCompared && expenses.length > 0 && !isIncomplete(mapping) && isAnswered

  return (
    <Card
      title={file.name}
      action={
        <Button variant="quiet" size="small" className="-mr-3" disabled={isBusy} onClick={onAnother}>
          {uploadCopy.another}
        </Button>
      }
    >
      <div className="file-parts">
        <MappingFields
          table={file.table}
          mapping={mapping}
          isDayOrderOpen={preview.isDayOrderOpen}
          onChange={preview.setLayout}
        />
        {!isCompared ? (
          preview.compareAgain === null ? (
            <p className="flex items-center gap-3 text-sm text-muted">
              <Spinner size="small" />
              <span role="status">{importCopy.comparing}</span>
            </p>
          ) : (
            <RetryLine message={importCopy.unread} onRetry={preview.compareAgain} />
          )
        ) : (
          <>
            <p role="status" className="font-semibold">
              {groups.length === 0
                ? importCopy.nothingFresh
                : importCopy.fresh(groups.reduce((sum, group) => sum + group.expenses.length, 0))}
            </p>
            <NamedLines
              title={importCopy.broken(lines.broken.length)}
              lines={lines.broken.map(({ line, fault, text }) => ({
                line,
                words: importCopy.faults[fault],
                text,
              }))}
              choice={
                groups.length + doubts.length === 0
                  ? undefined
                  : {
                      label: importCopy.withoutBroken,
                      isChosen: isWithoutBroken,
                      onChoose: setIsWithoutBroken,
                    }
              }
            />
            {groups.length > 0 && (
              <GroupList groups={groups} own={preview.own} choices={choices} onChoose={preview.choose} />
            )}
            {doubts.length > 0 && (
              <section aria-label={importCopy.doubtful(doubts.length)}>
                <p className="font-semibold">{importCopy.doubtful(doubts.length)}</p>
                <p className="text-sm text-muted">{importCopy.doubtfulWhy}</p>
                <GroupList groups={doubts} own={preview.own} choices={choices} onChoose={preview.choose} />
              </section>
            )}
            <LeftOut known={known} incomes={lines.incomes} empty={lines.empty} />
          </>
        )}
        <NamedLines title={importCopy.refusedLines} lines={refused} />
      </div>
      {groups.length + doubts.length > 0 && (
        <footer className="file-foot">
          {!isAnswered && <p>{importCopy.answerFirst}</p>}
          <Button disabled={!isReady} isBusy={isBusy} onClick={() => send(expenses)}>
            {isBusy ? (
              <span role="status">{importCopy.recording}</span>
            ) : (
              <span>
                {importCopy.record(expenses.length)}
                <MoneyText>{displayedMinor(sumOf(expenses))}</MoneyText>
              </span>
            )}
          </Button>
        </footer>
      )}
    </Card>
  )
}

/** Sends the expenses as one import. The same ones have the same id, however often they are sent. */
function useSending(onDone: (imported: PastImport) => void) {
  const user = useUser()
  const client = useQueryClient()
  const idOf = useContentId()
  const [refused, setRefused] = useState<readonly NamedLine[]>([])
  const sent = useRef<readonly Movement[]>([])
  const { isBusy, run } = useTask((error) => {
    setRefused(refusedLines(error, sent.current))
    showFailure({
      title: importCopy.failedTitle,
      description: refusalMessage(error, importCopy.failedText),
    })
  })
  const send = (expenses: readonly Movement[]) =>
    run(async () => {
      setRefused([])
      sent.current = expenses
      onDone(await sendImport(client, { userId: user.id, id: idOf(expenses), expenses }))
    })
  return { isBusy, refused, send }
}
