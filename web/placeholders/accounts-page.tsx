import { useQuery } from '@tanstack/react-query'
import { CreditCard, Landmark, PiggyBank, Plus, type LucideIcon } from 'lucide-react'
import { useId, useState, type ComponentProps } from 'react'
import { OwnBalanceParts } from '#money/balance/parts.tsx'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { balanceQuery } from '#data/queries.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { AmountsEye, MoneyText } from '#amounts/money-text.tsx'
import { statementLink, statementMonths } from '#amounts/statement-months.ts'
import { useUser } from '#people/session/session.ts'
import { Link } from '#ui/address/link.tsx'
import { notImplemented } from '#ui/toast/not-implemented.ts'
import { Button, buttonClass } from '#ui/button.tsx'
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
  own: 'Cuenta Finanzas',
  balance: 'Saldo',
  others: 'Añade otras cuentas',
  transactions: 'Ver movimientos',
  statement: (month: string) => `Extracto de ${month}`,
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
/** Class for a field that shares its row with the next field. */
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
      <PageHeading
        documentTitle={accountsCopy.documentTitle}
        heading={accountsCopy.heading}
        below={<MoneyPages />}
      >
        <AmountsEye />
      </PageHeading>
      <OwnAccount />
      <h2 className="mt-6 mb-3 text-lg font-semibold">{accountsCopy.others}</h2>
      <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-3">
        {accounts.map((account) => (
          <AccountCard key={account.title} account={account} />
        ))}
      </div>
    </>
  )
}

/** The customer's real account, above the placeholder accounts that the specification prescribes. */
function OwnAccount() {
  const user = useUser()
  const { data: balance } = useQuery(balanceQuery(user.id))
  const [thisMonth = '', lastMonth = thisMonth] = statementMonths(user.created_at)
  const statement = statementLink(lastMonth)
  return (
    <Plate
      aria-labelledby="own-account"
      rosette="top-1/2 right-0 size-[30rem] translate-x-[45%] -translate-y-1/2"
      className="p-6 sm:p-7"
    >
      <h2 id="own-account" className="font-semibold">
        {accountsCopy.own}
      </h2>
      <div className="@container mt-4">
        <p className="text-sm text-on-vault-muted">{accountsCopy.balance}</p>
        <p className="text-3xl font-semibold tracking-tight">
          {balance === undefined ? '—' : <MoneyText>{displayedMoney(balance)}</MoneyText>}
        </p>
        <OwnBalanceParts userId={user.id} />
      </div>
      <div className="mt-5 flex flex-wrap gap-3">
        <Link to="/transacciones" className={buttonClass({ variant: 'plate' })}>
          {accountsCopy.transactions}
        </Link>
        <Link to={statement.to} className={buttonClass({ variant: 'outline-plate' })}>
          {accountsCopy.statement(statement.name)}
        </Link>
      </div>
    </Plate>
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
        <h3 id={titleId} className="font-semibold">
          {title}
        </h3>
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
      {/* The dialog discards its input, because the specification says that new accounts are not stored. */}
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
