import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { showRefusal } from '#api/refusals.ts'
import type { CategoryRule, Categorization } from './rules.ts'
import { orderRules, removeRule, showRules } from './rule-calls.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { categoriesCopy as copy } from './page-copy.ts'
import { RuleRow, type Step } from './rule-row.tsx'

const call = {
  name: 'category rule',
  title: copy.ruleFailedTitle,
  refusals: { otherwise: copy.failedText },
}
const ruleDialog = lazyCode(() => import('./rule-dialog.tsx'), 'RuleDialog')

/** The customer's rules, in the order in which they are applied. */
export function RulesCard({ userId, categorization }: { userId: string; categorization: Categorization }) {
  const { categories: own, rules } = categorization
  const client = useQueryClient()
  const list = useRef<HTMLDivElement>(null)
  const { open, dialog } = useLazyDialog(ruleDialog)
  const [moved, setMoved] = useState<Moved | null>(null)
  const removing = useTask((error) => showRefusal(error, call))
  const { isOrdering, move } = useOrder(userId, rules)
  const moveRow = (id: string, step: Step) => {
    if (removing.isBusy || !rules.some((rule) => rule.id === id)) return
    setMoved({ id, step })
    move(id, step)
  }
  const remove = (id: string, name: string) =>
    removing.run(async () => {
      // The focus moves to the list, because the pressed button disappears together with its row.
      list.current?.focus()
      await removeRule(client, userId, id)
      showToast({ title: copy.ruleRemovedTitle, description: name })
    })
  const place = rules.findIndex(({ id }) => id === moved?.id)

  useFocusOfMoved(list, moved, place)

  return (
    <Card
      title={copy.rulesTitle}
      action={
        <Button variant="outline" size="touch" onClick={() => open({ userId, own })}>
          {copy.addRule}
        </Button>
      }
    >
      <div ref={list} tabIndex={-1}>
        <p className="px-4 py-4 text-sm text-muted sm:px-6">
          {rules.length === 0 ? copy.noRules : copy.rulesText}
        </p>
        <ol aria-label={copy.list} className="divide-y divide-line">
          {rules.map((rule, index) => (
            <RuleRow
              key={rule.id}
              userId={userId}
              rule={rule}
              isFirst={index === 0}
              isLast={index === rules.length - 1}
              isBusy={removing.isBusy || isOrdering}
              onMove={moveRow}
              onEdit={() => open({ userId, own, rule })}
              onRemove={remove}
            />
          ))}
        </ol>
        <p role="status" className="sr-only">
          {placeInWords(rules, place)}
        </p>
      </div>
      {dialog}
    </Card>
  )
}

/** Returns a function that moves a rule and sends the new order. */
function useOrder(userId: string, rules: readonly CategoryRule[]) {
  const client = useQueryClient()
  const ordering = useTask((error) => {
    wanted.current = sent.current = null
    showRefusal(error, call)
  })
  // The order that the user chose last, kept until the server confirms it. A query in the meantime may return an older
  // order.
  const wanted = useRef<readonly CategoryRule[] | null>(null)
  const sent = useRef<readonly CategoryRule[] | null>(null)
  const move = (id: string, step: Step) => {
    const before = wanted.current ?? rules
    const from = before.findIndex((rule) => rule.id === id)
    const rule = before[from]
    if (rule === undefined) return
    const to = from + (step === 'up' ? -1 : 1)
    wanted.current = before.toSpliced(from, 1).toSpliced(to, 0, rule)
    showRules(client, userId, wanted.current)
    // If the user reorders the rules again before the server answers, the new order is sent after the answer.
    ordering.run(() => orderRules(client, userId, { before: rules, next: takeWanted }))
  }
  const takeWanted = () => {
    if (sent.current === wanted.current) wanted.current = null
    sent.current = wanted.current
    return wanted.current
  }
  return { isOrdering: ordering.isBusy, move }
}

function placeInWords(rules: readonly CategoryRule[], place: number): string {
  const rule = rules[place]
  if (rule === undefined) return ''
  return copy.place(copy.ruleName(rule.contains, rule.category), place + 1, rules.length)
}

type Moved = { id: string; step: Step }

/** Moving an element within the document removes its focus, so this hook sets the focus again. */
function useFocusOfMoved(list: { readonly current: HTMLElement | null }, moved: Moved | null, place: number) {
  useLayoutEffect(() => {
    if (moved === null) return
    const row = list.current?.querySelector(`[data-rule="${moved.id}"]`)
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('[data-step]:not([aria-disabled])') ?? [])]
    const wanted = buttons.find(({ dataset }) => dataset['step'] === moved.step)
    ;(wanted ?? buttons[0])?.focus()
  }, [list, moved, place])
}
