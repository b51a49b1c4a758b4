import { transactionsCopy } from '#money/history/copy.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { switchSingleKeys, useSingleKeys } from '#ui/single-keys.ts'

const copy = transactionsCopy.keys

/** Lists the page's keyboard shortcuts. A switch in the dialog turns off single-key shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const areOn = useSingleKeys()
  return (
    <Dialog title={copy.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-2.5">
        {copy.list.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-sm border border-control bg-sunken px-2 py-0.5 font-sans text-sm font-medium">
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex min-h-11 items-center gap-3 border-t border-line pt-4 text-sm">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          checked={areOn}
          onChange={(event) => switchSingleKeys(event.target.checked)}
        />
        {copy.single}
      </label>
    </Dialog>
  )
}
