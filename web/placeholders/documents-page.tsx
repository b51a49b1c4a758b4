import { FileText, Upload } from 'lucide-react'
import { statementLink, statementMonths } from '#amounts/statement-months.ts'
import { useUser } from '#people/session/session.ts'
import { Link } from '#ui/address/link.tsx'
import { announceNotImplemented } from '#ui/toast/not-implemented.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { PageHeading } from '#ui/page-heading.tsx'

const documentsCopy = {
  documentTitle: 'Documentos - Finanzas',
  heading: 'Documentos Financieros',
  upload: 'Subir documento',
  statements: 'Tus extractos',
  statement: (month: string) => `Extracto de ${month}`,
  allStatements: 'Todos',
  certificate: 'Certificado de saldo',
  examples: 'Otros documentos',
  sample: 'Ejemplo',
  samples: [
    { name: 'Extracto bancario - Octubre 2026.pdf', kind: 'PDF', detail: '1,2 MB · 1 nov 2026' },
    { name: 'Declaración de renta 2025.pdf', kind: 'PDF', detail: '845 KB · 12 ago 2026' },
  ],
} as const

export function DocumentsPage() {
  return (
    <>
      <PageHeading documentTitle={documentsCopy.documentTitle} heading={documentsCopy.heading}>
        <Button onClick={() => announceNotImplemented()}>
          <Upload aria-hidden="true" className="size-4.5" />
          {documentsCopy.upload}
        </Button>
      </PageHeading>
      <OwnStatements />
      <h2 className="mt-6 mb-3 text-lg font-semibold">{documentsCopy.examples}</h2>
      <ul className="grid grid-cols-1 gap-4 sm:gap-6 md:grid-cols-2">
        {documentsCopy.samples.map(({ name, kind, detail }) => (
          <li
            key={name}
            className="flex min-w-0 items-center gap-5 rounded-lg border border-line bg-surface p-5 sm:p-6"
          >
            <Sheet kind={kind} />
            <div className="min-w-0">
              <h3 className="font-semibold wrap-anywhere">{name}</h3>
              <p className="mt-1 text-sm text-muted">{`${documentsCopy.sample} · ${detail}`}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

const shownStatements = 3

/** The customer's latest statements, above the sample files that the specification prescribes. */
function OwnStatements() {
  const months = statementMonths(useUser().created_at)
  return (
    <Card
      title={documentsCopy.statements}
      action={
        <Link to="/extractos" className={`${buttonClass({ variant: 'quiet' })} -mr-3`}>
          {documentsCopy.allStatements}
        </Link>
      }
    >
      <ul className="divide-y divide-line">
        {months.slice(0, shownStatements).map((month) => {
          const { to, name } = statementLink(month)
          return <PaperLink key={month} to={to} name={documentsCopy.statement(name)} />
        })}
        <PaperLink to="/extractos" name={documentsCopy.certificate} />
      </ul>
    </Card>
  )
}

function PaperLink({ to, name }: { to: string; name: string }) {
  return (
    <li>
      <Link to={to} className="flex min-h-14 items-center gap-4 px-4 font-medium hover:bg-sunken sm:px-6">
        <FileText aria-hidden="true" className="size-5 shrink-0 text-primary" strokeWidth={1.75} />
        {name}
      </Link>
    </li>
  )
}

function Sheet({ kind }: { kind: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 56 72" className="w-14 shrink-0">
      <path
        d="M4 1h34l17 17v50a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3Z"
        className="fill-sunken stroke-line"
        strokeWidth="1.5"
      />
      <path d="M38 1v14a3 3 0 0 0 3 3h14" className="fill-surface stroke-line" strokeWidth="1.5" />
      <path d="M11 30h34M11 38h34M11 46h22" className="stroke-line" strokeWidth="2" />
      <text x="11" y="63" className="fill-danger text-[11px] font-bold">
        {kind}
      </text>
    </svg>
  )
}
