import { CreditCard, Landmark, PiggyBank, Plus, type LucideIcon } from 'lucide-react'
import { useId, useState, type ComponentProps } from 'react'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { notImplemented } from '#ui/toast/not-implemented.ts'
import { Button } from '#ui/button.tsx'
import { InputField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf } from '#ui/form/form.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { Plate } from '#ui/plate.tsx'

const accountsCopy = {
  documentTitle: 'Cuentas - Finanzas',
  heading: 'Cuentas',
  submit: 'Añadir',
  missing: 'Completa este campo.',
} as const

type Account = {
  title: string
  figure: string
  add: string
  icon: LucideIcon
  ink: NonNullable<ComponentProps<typeof Plate>['ink']>
  fields: readonly (ComponentProps<typeof InputField> & { name: string })[]
}

const bankAccountFields: Account['fields'] = [
  { name: 'bankName', label: 'Nombre del banco' },
  { name: 'accountHolder', label: 'Titular de la cuenta', autoComplete: 'name' },
  { name: 'accountNumber', label: 'Número de cuenta', inputMode: 'numeric' },
]
/** Width of a field that stands beside the next one instead of above it. */
const half = 'col-span-1'

const accounts: readonly Account[] = [
  {
    title: 'Cuenta de Ahorros',
    figure: 'Balance',
    add: 'Añadir cuenta de ahorros',
    icon: PiggyBank,
    ink: 'green',
    fields: bankAccountFields,
  },
  {
    title: 'Tarjeta de Crédito',
    figure: 'Deuda',
    add: 'Añadir tarjeta de crédito',
    icon: CreditCard,
    ink: 'blue',
    fields: [
      { name: 'nameOnCard', label: 'Nombre en la tarjeta', autoComplete: 'cc-name' },
      { name: 'cardNumber', label: 'Número de tarjeta', autoComplete: 'cc-number', inputMode: 'numeric' },
      {
        name: 'expiry',
        label: 'Vence (MM/AA)',
        autoComplete: 'cc-exp',
        inputMode: 'numeric',
        className: half,
      },
      { name: 'securityCode', label: 'CVC', autoComplete: 'cc-csc', inputMode: 'numeric', className: half },
    ],
  },
  {
    title: 'Cuenta Corriente',
    figure: 'Balance',
    add: 'Añadir cuenta corriente',
    icon: Landmark,
    ink: 'wine',
    fields: bankAccountFields,
  },
]

export function AccountsPage() {
  return (
    <>
      <PageHeading documentTitle={accountsCopy.documentTitle} heading={accountsCopy.heading} />
      <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-3">
        {accounts.map((account) => (
          <AccountCard key={account.title} account={account} />
        ))}
      </div>
    </>
  )
}

function AccountCard({ account }: { account: Account }) {
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
        <p className="@container text-3xl font-semibold tracking-tight">
          <MoneyText>{displayedMoney(0)}</MoneyText>
        </p>
      </div>
      <Button variant="plate" className="self-start" onClick={() => setIsAdding(true)}>
        <Plus aria-hidden="true" className="size-4.5" />
        {add}
      </Button>
      {/* Discards the input: the specification stores nothing here. */}
      {isAdding && (
        <FormDialog<null, string>
          title={add}
          submitLabel={accountsCopy.submit}
          className="grid-cols-2"
          onClose={() => setIsAdding(false)}
          read={(typed) => {
            const empty = fields.filter(({ name }) => textOf(typed, name) === '')
            return readingOf(Object.fromEntries(empty.map(({ name }) => [name, accountsCopy.missing])), null)
          }}
          send={async () => {}}
          success={notImplemented}
          failure={() => notImplemented}
        >
          {(errors) =>
            fields.map((field) => (
              <InputField
                key={field.name}
                className="col-span-2"
                {...field}
                error={errors[field.name]}
                required
              />
            ))
          }
        </FormDialog>
      )}
    </Plate>
  )
}
