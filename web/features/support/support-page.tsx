import { BookOpen, ChevronDown, MessagesSquare, Ticket } from 'lucide-react'
import { announceNotImplemented } from '#ledger/not-implemented.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { supportCopy } from './copy.ts'

const icons = { chat: MessagesSquare, ticket: Ticket, knowledge: BookOpen } as const

export function SupportPage() {
  return (
    <>
      <PageHeading documentTitle={supportCopy.documentTitle} heading={supportCopy.heading} />
      <ul className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-4 sm:mb-6 sm:gap-6">
        {supportCopy.cards.map((card) => (
          <SupportCard key={card.key} card={card} />
        ))}
      </ul>
      <Card title={supportCopy.faqTitle}>
        <div className="divide-y divide-line px-4 sm:px-6">
          {supportCopy.faq.map(({ question, answer }) => (
            <details key={question} className="group py-1">
              <summary className="flex min-h-12 list-none items-center py-2 justify-between gap-4 font-medium [&::-webkit-details-marker]:hidden">
                {question}
                <ChevronDown
                  aria-hidden="true"
                  className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-180"
                />
              </summary>
              <p className="max-w-prose pb-4 text-muted">{answer}</p>
            </details>
          ))}
        </div>
      </Card>
    </>
  )
}

function SupportCard({ card }: { card: (typeof supportCopy.cards)[number] }) {
  const Icon = icons[card.key]
  return (
    <li className="flex flex-col rounded-lg border border-line bg-surface p-5 sm:p-6">
      <Icon aria-hidden="true" className="size-6 text-primary" strokeWidth={1.5} />
      <h2 className="mt-4 font-semibold">{card.title}</h2>
      <p className="mt-1 mb-5 flex-1 text-muted">{card.text}</p>
      <Button variant="outline" onClick={announceNotImplemented}>
        {card.action}
      </Button>
    </li>
  )
}
