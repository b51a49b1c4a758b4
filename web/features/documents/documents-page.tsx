import { Upload } from 'lucide-react'
import { Link } from '#ui/address/link.tsx'
import { announceNotImplemented } from '#ui/toast/not-implemented.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageHeading } from '#ui/page-heading.tsx'

const documentsCopy = {
  documentTitle: 'Documentos - Finanzas',
  heading: 'Documentos Financieros',
  upload: 'Subir documento',
  statements: 'Ver tus extractos mensuales',
  samples: [
    { name: 'Extracto bancario - Octubre 2026.pdf', kind: 'PDF', detail: '1,2 MB · 1 nov 2026' },
    { name: 'Declaración de renta 2025.pdf', kind: 'PDF', detail: '845 KB · 12 ago 2026' },
  ],
} as const

export function DocumentsPage() {
  return (
    <>
      <PageHeading documentTitle={documentsCopy.documentTitle} heading={documentsCopy.heading}>
        <Button onClick={announceNotImplemented}>
          <Upload aria-hidden="true" className="size-4.5" />
          {documentsCopy.upload}
        </Button>
      </PageHeading>
      <ul className="grid grid-cols-1 gap-4 sm:gap-6 md:grid-cols-2">
        {documentsCopy.samples.map(({ name, kind, detail }) => (
          <li
            key={name}
            className="flex min-w-0 items-center gap-5 rounded-lg border border-line bg-surface p-5 sm:p-6"
          >
            <Sheet kind={kind} />
            <div className="min-w-0">
              <h2 className="font-semibold wrap-anywhere">{name}</h2>
              <p className="mt-1 text-sm text-muted">{detail}</p>
            </div>
          </li>
        ))}
      </ul>
      <Link to="/extractos" className={`${buttonClass({ variant: 'quiet' })} mt-4 -ml-4`}>
        {documentsCopy.statements}
      </Link>
    </>
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
