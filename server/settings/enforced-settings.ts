/**
 * The settings that the database enforces, in the order of docs/operations.md. A server writes them into
 * `private.settings` at each start; the operator of a hosted project calls `private.set_settings`.
 */
import { amount, choice, enforced, text, whole } from './kinds.ts'
import { clearingAccount, clearingAccountPattern, line } from './rules.ts'

const servers = 'equal'

export const enforcedSettings = {
  BRAND_NAME: enforced(
    text(line, 'Banco Finanzas', { values: 'one line', meaning: 'the bank’s name', servers }),
    {
      value: null,
      pattern: '.',
      meaning: 'The name of the bank in its clearing files, which no customer can have.',
    },
  ),
  DISPLAY_CURRENCY: enforced(
    choice(['USD', 'COP'], {
      meaning: 'the currency that customers see; it decides how the page reads a typed `25.000`',
      servers,
    }),
    { value: null, meaning: 'The currency of the bank.' },
  ),
  STAFF_PROOF: enforced(
    choice(['on', 'off'], {
      meaning:
        'with `off`, deleting a user, changing a role, creating an administrator and registering a transaction need no password or code, whatever the amount. Corrections, batches, returns and decisions keep `STAFF_PROOF_ABOVE`. Only for a bank whose page knows the specification alone ([security.md](security.md#ad-administrators) says what it costs)',
      servers,
    }),
    {
      meaning:
        'Whether the actions of administrators that the specification names require a recent entry of the password or a mailed code. If not, staff_proof_above has no effect on them.',
    },
  ),
  STAFF_PROOF_ABOVE: enforced(
    amount(
      0,
      { USD: 2500, COP: 10_000_000 },
      {
        meaning:
          'an administrator whose session moves more than this amount in total must give the password or a mailed code. For the next ten minutes, the session can move any amount; after that, the total begins anew at zero. With `0`, every movement of money needs the password or a code. The default is higher than almost any monthly wage. A single wage therefore needs neither, but a payroll does',
        servers,
      },
    ),
    {
      value: '10000000',
      meaning:
        'The total amount that an administrator may order in a session before they must enter the password or a mailed code again.',
    },
  ),
  STAFF_SELF_DEALING: enforced(
    choice(['allow', 'refuse'], {
      meaning:
        'with `refuse`, administrators cannot record or correct transactions in their own account, and cannot order or reverse them in a batch. With `allow`, every administrator gets a mail about transactions in an administrator’s own account',
      servers,
    }),
    { meaning: 'Whether administrators may record transactions in their own accounts.' },
  ),
  STAFF_APPROVAL_ABOVE: enforced(
    amount(0, undefined, {
      meaning:
        'the amount that one administrator is allowed to move in a day (Bogotá time) without a second administrator. Above this amount, each deposit, expense, correction, batch and deletion of an account with money waits for another administrator. A promotion to administrator, the demotion, block or deletion of an administrator, and the removal of a customer’s second factors always wait ([0068](decisions/0068-a-second-administrator.md)). With a single administrator, only `npm run admin` removes second factors. The bank then needs at least two administrators who can sign in, and three if one administrator is often absent. `0` requires a second administrator for every movement of money. Undecided requests expire after `TRANSFER_EXPIRES_HOURS`. Decide the waiting requests before you remove the setting, because without the setting the page shows the queue only if transfers are enabled',
      servers,
    }),
    {
      meaning:
        'The total amount that an administrator may move on one day in Bogotá without a second administrator. Without a value, the bank needs no second administrator.',
    },
  ),
  TRANSFER_AUTOMATIC_MAX: enforced(
    amount(
      0,
      { USD: 125, COP: 500_000 },
      {
        meaning:
          'the daily total (Bogotá time) up to which a customer’s transfers are carried out without a decision. An administrator decides about each further transfer. With `0`, every transfer waits for a decision',
        servers,
      },
    ),
    {
      meaning:
        'The largest sum of the transfers that one customer may make on one day in Bogotá without the decision of an administrator.',
    },
  ),
  TRANSFER_MAX: enforced(
    amount(
      1,
      { USD: 1250, COP: 5_000_000 },
      { meaning: 'the largest single transfer. Customers can set a lower limit for themselves', servers },
    ),
    { least: 0.01, meaning: 'The largest amount of a single transfer.' },
  ),
  TRANSFER_DAY_MAX: enforced(
    amount(
      1,
      { USD: 2500, COP: 10_000_000 },
      {
        meaning:
          'the largest total that one customer may transfer in a day (Bogotá time). Customers can set a lower limit for themselves',
        servers,
      },
    ),
    {
      least: 0.01,
      meaning: 'The largest sum of the transfers that one customer may request on one day in Bogotá.',
    },
  ),
  TRANSFER_EXPIRES_HOURS: enforced(
    whole(1, 720, 72, {
      meaning:
        'after this number of hours, an undecided request expires, and the amount of a transfer is available again',
      servers,
    }),
    { meaning: 'Hours after which an undecided request expires.' },
  ),
  CLEARING_ACCOUNT: enforced(
    // ISO 20022 writes NOTPROVIDED for an account that the receiver knows.
    text(clearingAccount, 'NOTPROVIDED', {
      values: 'up to 34 digits and capital letters',
      meaning:
        'the account from which the bank settles its clearing. New clearing files contain this account ([0070](decisions/0070-a-transfer-elsewhere-has-one-side.md)). With the default, the files say that the clearing knows the account',
      servers,
    }),
    {
      value: null,
      pattern: clearingAccountPattern.source,
      meaning:
        'The account from which the bank settles its clearing; the ISO 20022 value NOTPROVIDED if the files need not state the account.',
    },
  ),
  AUTH_RATE_LIMITS: enforced(
    choice(['on', 'off'], {
      meaning:
        'only for tests: `off` is refused unless `HOST` and `SITE_URL` are loopback and `TRUST_PROXY` is unset',
      servers: 'never',
    }),
    { meaning: 'Whether the limits apply; off only for load tests.' },
  ),
}
