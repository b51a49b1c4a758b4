import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import { CategoryBadge } from './category-badge.tsx'
import type { CategoryRule } from './rules.ts'
import { undo } from './rule-toasts.ts'
import { Button } from '#ui/button.tsx'
import { categoriesCopy as copy } from './page-copy.ts'
import { ToolButton } from './tool-button.tsx'

export type Step = 'up' | 'down'

type Props = {
  userId: string
  rule: CategoryRule
  isFirst: boolean
  isLast: boolean
  isBusy: boolean
  onMove: (id: string, step: Step) => void
  onEdit: () => void
  onRemove: (id: string, name: string) => void
}

/**
 * A rule with its text, its category, the number of transactions it has changed, and buttons that move it up or down.
 */
export function RuleRow({ userId, rule, isFirst, isLast, isBusy, onMove, onEdit, onRemove }: Props) {
  const { id, contains, category, entries, undone_at: undoneAt } = rule
  const client = useQueryClient()
  const name = copy.ruleName(contains, category)
  return (
    <li data-rule={id} className="categories-row categories-rule">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium wrap-anywhere">{contains}</span>
          <span className="text-muted">{copy.arrow}</span>
          <span className="flex min-w-0">
            <CategoryBadge transaction={{ type: 'expense', category }} />
          </span>
        </p>
        {entries !== null && entries > 0 && undoneAt === null && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
            {copy.applied(entries)}
            <Button
              variant="quiet"
              size="touch"
              className="-ml-3"
              aria-label={copy.undoOf(name)}
              onClick={() => void undo(client, userId, id)}
            >
              {copy.undo}
            </Button>
          </p>
        )}
      </div>
      <div className="categories-tools">
        {!(isFirst && isLast) && (
          <>
            <ToolButton
              icon={ArrowUp}
              label={copy.up(name)}
              step="up"
              disabled={isFirst}
              onClick={() => onMove(id, 'up')}
            />
            <ToolButton
              icon={ArrowDown}
              label={copy.down(name)}
              step="down"
              disabled={isLast}
              onClick={() => onMove(id, 'down')}
            />
          </>
        )}
        <ToolButton icon={Pencil} label={copy.edit(name)} onClick={onEdit} />
        <ToolButton
          icon={Trash2}
          variant="muted-danger"
          label={copy.removeRule(name)}
          disabled={isBusy}
          onClick={() => onRemove(id, name)}
        />
      </div>
    </li>
  )
}
