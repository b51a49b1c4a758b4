import { Plus, type LucideIcon } from 'lucide-react'
import { useId, useState, type ComponentProps } from 'react'
import { displayedMoney } from '#ledger/displayed-money.ts'
import { Button } from '#ui/button.tsx'
import { Plate } from '#ui/plate.tsx'
import { AccountDialog, type AccountField } from './account-dialog.tsx'

export type AccountKind = {
  title: string
  /** What the figure is: a balance or a debt. */
  figure: string
  add: string
  icon: LucideIcon
  ink: NonNullable<ComponentProps<typeof Plate>['ink']>
  fields: readonly AccountField[]
}

export function AccountCard({ account }: { account: AccountKind }) {
  const [isAdding, setIsAdding] = useState(false)
  const titleId = useId()
  const { title, figure, add, icon: Icon, ink, fields } = account
  return (
    <Plate
      ink={ink}
      aria-labelledby={titleId}
      rosette="-right-36 -bottom-32 size-96"
      className="flex min-h-64 flex-col p-6 sm:p-7"
    >
      <header className="flex items-center gap-3">
        <Icon aria-hidden="true" className="size-5" strokeWidth={1.5} />
        <h2 id={titleId} className="font-semibold">
          {title}
        </h2>
      </header>
      <div className="flex flex-1 flex-col justify-center py-6">
        <p className="text-sm">{figure}</p>
        <p className="figures text-3xl font-semibold tracking-tight">{displayedMoney(0)}</p>
      </div>
      <Button variant="plate" className="self-start" onClick={() => setIsAdding(true)}>
        <Plus aria-hidden="true" className="size-4.5" />
        {add}
      </Button>
      {isAdding && <AccountDialog title={add} fields={fields} onClose={() => setIsAdding(false)} />}
    </Plate>
  )
}
