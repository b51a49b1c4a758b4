import { FileText } from 'lucide-react'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.papers

/** The dialog in which staff make a paper for a customer. */
export const paperDialog = lazyCode(() => import('./paper-dialog.tsx'), 'PaperDialog')

/** The papers that staff make for a customer at the desk. */
export function PapersCard({ customer }: { customer: Customer }) {
  const paper = useLazyDialog(paperDialog)
  return (
    <Card title={copy.title}>
      <div className="grid justify-items-start gap-3 p-4 text-sm sm:px-6">
        <p className="text-muted">{copy.about}</p>
        <div className="flex flex-wrap gap-3">
          {(['statement', 'certificate'] as const).map((kind) => (
            <Button key={kind} variant="outline" onClick={() => paper.open({ customer, paper: kind })}>
              <FileText aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
              {copy[kind]}
            </Button>
          ))}
        </div>
      </div>
      {paper.dialog}
    </Card>
  )
}
