import { useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { expenseCategories } from '@finanzas/contract/categories.ts'
import { showRefusal } from '#api/refusals.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useQuestion } from '#ui/dialog/use-question.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { countMovements, removeCategory } from './category-calls.ts'
import { categoriesCopy as copy } from './page-copy.ts'
import { ToolButton } from './tool-button.tsx'

const call = { name: 'category', refusals: { otherwise: copy.failedText } }
const nameDialog = lazyCode(() => import('./name-dialog.tsx'), 'NameDialog')

/** The customer's own categories, which can be added, renamed and removed. */
export function OwnCard({ userId, own }: { userId: string; own: readonly string[] }) {
  const client = useQueryClient()
  const list = useRef<HTMLDivElement>(null)
  const { open, dialog } = useLazyDialog(nameDialog)
  const renaming = useTask((error) => showRefusal(error, { ...call, title: copy.renameFailedTitle }))
  const removing = useTask((error) => showRefusal(error, { ...call, title: copy.removeFailedTitle }))
  const { ask, question } = useQuestion()
  const isBusy = renaming.isBusy || removing.isBusy
  const rename = (name: string) =>
    renaming.run(async () =>
      open({ userId, own, renamed: { name, movements: await countMovements(userId, name) } }),
    )
  const remove = (name: string) =>
    removing.run(async () => {
      const movements = await countMovements(userId, name)
      if (!(await ask({ text: copy.removeQuestion(name, movements), confirm: copy.removeConfirmed }))) return
      // The focus moves to the list, because the pressed button disappears together with its row.
      list.current?.focus()
      await removeCategory(client, userId, name)
      showToast({ title: copy.removedTitle, description: name })
    })
  return (
    <Card
      title={copy.ownTitle}
      action={
        <Button
          variant="outline"
          size="touch"
          // `isBusy` is true while the code of the dialog for renaming is loading.
          disabled={isBusy}
          onClick={() => open({ userId, own })}
        >
          {copy.add}
        </Button>
      }
    >
      <div ref={list} tabIndex={-1}>
        {own.length === 0 ? (
          <p className="px-4 py-4 text-sm text-muted sm:px-6">{copy.none}</p>
        ) : (
          <ul aria-label={copy.ownTitle} className="divide-y divide-line">
            {own.map((name) => (
              <OwnCategory key={name} {...{ name, isBusy }} onRename={rename} onRemove={remove} />
            ))}
          </ul>
        )}
      </div>
      <p className="border-t border-line px-4 py-3 text-sm text-muted sm:px-6">
        {copy.theBanks(expenseCategories.join(', '))}
      </p>
      {dialog}
      {question}
    </Card>
  )
}

type OwnProps = {
  name: string
  isBusy: boolean
  onRename: (name: string) => void
  onRemove: (name: string) => void
}

function OwnCategory({ name, isBusy, onRename, onRemove }: OwnProps) {
  return (
    <li className="categories-row flex-wrap">
      <span className="min-w-0 flex-[1_1_6rem] wrap-anywhere">{name}</span>
      <ToolButton icon={Pencil} label={copy.rename(name)} disabled={isBusy} onClick={() => onRename(name)} />
      <ToolButton
        icon={Trash2}
        variant="muted-danger"
        label={copy.remove(name)}
        disabled={isBusy}
        onClick={() => onRemove(name)}
      />
    </li>
  )
}
