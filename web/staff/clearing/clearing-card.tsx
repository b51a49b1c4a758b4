import { useQuery, useQueryClient } from '@tanstack/react-query'
import { showRefusal } from '#api/refusals.ts'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { clearingQuery, closeFile, downloadFile, type ClearingFile, type Format } from './clearing.ts'
import { clearingCopy as copy } from './copy.ts'

const returnDialog = lazyCode(() => import('./return-file-dialog.tsx'), 'ReturnFileDialog')

/** The transfers to other banks that wait for a clearing file, and the files that the bank has closed. */
export function ClearingCard() {
  const clearing = useQuery(clearingQuery)
  const client = useQueryClient()
  const { proven, dialog: proof } = useProof(copy.purpose)
  const { isBusy, run } = useFileTask(copy.closeFailedTitle)
  if (clearing.data === undefined)
    return <UnreadCard query={clearing} loading={copy.loading} message={copy.unread} />
  const { next_number: number, waiting, waiting_amount, waiting_since, handed_amount, files } = clearing.data
  const { has_account: hasAccount } = clearing.data
  const close = () =>
    run(async () => {
      const closed = await proven(() => closeFile(client, number))
      showToast({ title: copy.closedTitle(closed.number), description: copy.closedText(closed.transfers) })
    })
  return (
    <Card title={copy.title}>
      <div className="grid gap-3 px-4 py-4 text-sm sm:px-6">
        <p className="text-muted">{copy.about}</p>
        <p className="@container font-medium">
          {waiting === 0 ? (
            copy.none
          ) : (
            <MoneyText within={copy.waiting(waiting, formatDateTimeShort(waiting_since ?? ''))}>
              {displayedMoney(waiting_amount)}
            </MoneyText>
          )}
        </p>
        <p className="@container text-muted">
          <MoneyText within={copy.handed}>{displayedMoney(handed_amount)}</MoneyText>
        </p>
        {!hasAccount && waiting > 0 && <p className="font-medium">{copy.noAccount}</p>}
        <Button className="justify-self-start" disabled={waiting === 0} isBusy={isBusy} onClick={close}>
          {copy.close(number)}
        </Button>
      </div>
      {files.length === 0 ? (
        <p className="border-t border-line px-4 py-4 text-sm text-muted sm:px-6">{copy.noFiles}</p>
      ) : (
        <ul aria-label={copy.files} className="divide-y divide-line border-t border-line">
          {files.map((file) => (
            <FileRow key={file.number} file={file} />
          ))}
        </ul>
      )}
      {proof}
    </Card>
  )
}

function FileRow({ file }: { file: ClearingFile }) {
  const { number, transfers, amount, closed_at: closedAt, closed_by_name: name, returned, unreturned } = file
  const returning = useLazyDialog(returnDialog)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3 sm:px-6">
      <div className="@container min-w-0 flex-[1_1_14rem]">
        <p className="flex flex-wrap justify-between gap-x-4 font-medium">
          {copy.file(number)} <MoneyText>{displayedMoney(amount)}</MoneyText>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          {copy.details(transfers, formatDateTimeShort(closedAt), name, returned ?? 0)}
        </p>
        {(unreturned ?? []).map(({ id, amount: left, reason }) => (
          <p key={id} className="text-sm wrap-anywhere">
            <MoneyText within={copy.unreturned(id.replaceAll('-', ''), reason)}>
              {displayedMoney(left)}
            </MoneyText>
          </p>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <DownloadButton number={number} format="csv" />
        <DownloadButton number={number} format="xml" />
        {(returned ?? 0) < transfers && (
          <Button
            variant="outline"
            size="small"
            className="max-lg:min-h-11"
            aria-label={copy.giveBack.actFor(number)}
            onClick={() => returning.open({ number })}
          >
            {copy.giveBack.act}
          </Button>
        )}
      </div>
      {returning.dialog}
    </li>
  )
}

function DownloadButton({ number, format }: { number: number; format: Format }) {
  const { isBusy, run } = useFileTask(copy.downloadFailedTitle)
  return (
    <Button
      variant="outline"
      size="small"
      className="max-lg:min-h-11"
      isBusy={isBusy}
      aria-label={copy.download(number, copy.formats[format])}
      onClick={() => run(() => downloadFile(number, format))}
    >
      {copy.formats[format]}
    </Button>
  )
}

/** Returns a function that runs a task. If the task fails, a toast shows the bank's reason. */
function useFileTask(title: string) {
  return useTask((error) =>
    showRefusal(error, { name: 'clearing', title, refusals: { otherwise: copy.tryAgain } }),
  )
}
