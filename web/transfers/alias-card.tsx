import { useQuery } from '@tanstack/react-query'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { aliasQuery } from './alias.ts'
import { transfersCopy } from './copy.ts'

const copy = transfersCopy.alias
const aliasDialog = lazyCode(() => import('./alias-dialog.tsx'), 'AliasDialog')

/** The customer's alias. The customer can give the alias to other customers instead of the email address. */
export function AliasCard({ userId }: { userId: string }) {
  const query = useQuery(aliasQuery(userId))
  const { open, dialog } = useLazyDialog(aliasDialog)
  if (query.data === undefined)
    return <UnreadCard query={query} loading={transfersCopy.loading} message={copy.unread} />
  const { alias } = query.data
  return (
    <Card
      title={copy.title}
      action={
        <Button
          variant="outline"
          size="touch"
          aria-label={alias === null ? copy.chooseLabel : copy.changeLabel}
          onClick={() => open({ userId, own: query.data })}
        >
          {alias === null ? copy.choose : copy.change}
        </Button>
      }
    >
      <div className="grid gap-2 px-4 py-4 sm:px-6">
        {alias !== null && <p className="font-medium wrap-anywhere">{`@${alias}`}</p>}
        <p className="text-sm text-muted">{alias === null ? copy.none : copy.use}</p>
      </div>
      {dialog}
    </Card>
  )
}
