// Our own server refuses every call of a session that has not passed its second factor. A hosted project serves these
// sessions, so the functions in this test must refuse them.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { enableNotifications } from './notifications.ts'
import { addPerson } from './people.ts'

const bank = useBank(enableNotifications)

test.for([
  'confirm_beneficiary(gen_random_uuid())',
  'set_alias(null)',
  'set_transfer_reception(1, true)',
  'request_transfer(gen_random_uuid(), gen_random_uuid(), 1)',
  `set_notifications('{deposit}')`,
  'decide_requests(array[gen_random_uuid()], true)',
  `return_transfer(gen_random_uuid(), 'Error')`,
  `return_clearing_file(1, 'Error')`,
  'list_waiting_requests()',
  'list_decided_requests()',
  'read_bank_state()',
])('an administrator cannot call %s in a session without the second factor', async (call) => {
  const { id, sessionId } = await addPerson(bank.database, 'admin')
  await bank.asService(
    sql`insert into auth.mfa_factors (user_id, factor_type, status, secret) values (${id}, 'totp', 'verified', 'x')`,
  )

  await expect(
    bank.owner.query({
      text: `with claims as materialized (select set_config('request.jwt.claims', $1, true)) select public.${call} from claims`,
      values: [JSON.stringify({ sub: id, session_id: sessionId })],
    }),
  ).rejects.toMatchObject({ sqlState: '42501', hint: 'insufficient_aal' })
})
