import { BookOpen, ChevronDown, MessagesSquare, Ticket } from 'lucide-react'
import { announceNotImplemented } from '#ui/toast/not-implemented.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { PageHeading } from '#ui/page-heading.tsx'

const supportCopy = {
  documentTitle: 'Soporte - Finanzas',
  heading: 'Soporte',
  cards: [
    {
      key: 'chat',
      title: 'Chat en vivo',
      text: 'Habla con una persona de nuestro equipo.',
      action: 'Iniciar chat',
    },
    {
      key: 'ticket',
      title: 'Crear ticket',
      text: 'Cuéntanos qué pasó y te respondemos por correo.',
      action: 'Crear ticket',
    },
    {
      key: 'knowledge',
      title: 'Base de conocimiento',
      text: 'Guías cortas para cada parte de la aplicación.',
      action: 'Ver artículos',
    },
  ],
  faqTitle: 'Preguntas frecuentes',
  faq: [
    {
      question: '¿Cómo añado una transacción?',
      answer:
        'Desde el panel de inicio, con el formulario «Añadir Nuevo Gasto». El gasto aparece al instante en tu historial.',
    },
    {
      question: '¿Puedo cambiar mi presupuesto mensual?',
      answer:
        'Sí. En el panel de inicio, toca el icono de editar de la tarjeta «Presupuesto Mensual» y escribe el nuevo límite.',
    },
    {
      question: '¿Qué pasa si elimino una transacción?',
      answer:
        'Si la registraste tú, el monto vuelve a tu saldo. Si la registró el banco, solo deja de aparecer en tu lista y tu saldo no cambia.',
    },
  ],
} as const

const icons = { chat: MessagesSquare, ticket: Ticket, knowledge: BookOpen } as const

export function SupportPage() {
  return (
    <>
      <PageHeading documentTitle={supportCopy.documentTitle} heading={supportCopy.heading} />
      <ul className="mb-4 grid grid-cols-1 divide-line rounded-lg border border-line bg-surface max-md:divide-y sm:mb-6 md:grid-cols-3 md:divide-x">
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
    <li className="grid grid-cols-[auto_minmax(0,1fr)] grid-rows-[auto_1fr_auto] items-baseline gap-x-3.5 p-5 sm:p-7">
      <Icon aria-hidden="true" className="size-5 translate-y-1 self-start text-primary" strokeWidth={1.5} />
      <h2 className="font-semibold">{card.title}</h2>
      <p className="col-start-2 mt-1 mb-4 text-muted">{card.text}</p>
      <Button
        variant="outline"
        className="col-start-2 justify-self-start"
        onClick={() => announceNotImplemented()}
      >
        {card.action}
      </Button>
    </li>
  )
}
