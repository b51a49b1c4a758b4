/** Rules about the access and the roles of users that only triggers can enforce. */
import type { EffectWords, Rule } from './effect-words.ts'

/** Rules about access and roles. */
export function accessRules({
  admin,
  own,
  lastAudit,
  withoutRecentProof,
}: EffectWords): Record<string, Rule[]> {
  return {
    'private.begin_email_change': [
      withoutRecentProof(
        'request a change of a customer’s address',
        `select private.begin_email_change('${own}')`,
      ),
    ],
    'public.cancel_email_change': [
      {
        rule: 'a change of address that staff cancel is deleted, mailed and audited',
        as: admin,
        sql: `select public.cancel_email_change('${own}')`,
        prepare: `
          delete from auth.outgoing_mails;
          insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
          values ('${own}', 'otra@banco.example', 'a', 'b')`,
        see: `select (select count(*) from auth.address_changes)
            || ' ' || (select string_agg(notice ->> 'topic', ' ') from auth.outgoing_mails) || ' ' || (${lastAudit})`,
        expected: '1 row: 0 cancel_email_change cancel_email_change',
      },
    ],
    'public.reset_factor': [
      withoutRecentProof('reset a second factor', `select public.reset_factor('${own}')`),
      {
        rule: 'an administrator cannot reset the second factor of another administrator',
        as: admin,
        sql: `select public.reset_factor('${own}')`,
        prepare: `update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = '${own}'`,
        expected: 'PT403',
      },
      {
        rule: 'a reset of the second factor ends the sessions and is audited',
        as: admin,
        sql: `select public.reset_factor('${own}')`,
        prepare: `insert into auth.mfa_factors (user_id, factor_type, status, secret)
          values ('${own}', 'totp', 'verified', 'x')`,
        see: `select (select count(*) from auth.mfa_factors where user_id = '${own}')
            + (select count(*) from auth.sessions where user_id = '${own}')
            || ' ' || (${lastAudit})`,
        expected: '1 row: 0 reset_factor',
      },
    ],
  }
}

/** Rules about roles. */
export function roleRules({
  customer,
  admin,
  own,
  lastAudit,
  withoutRecentProof,
}: EffectWords): Record<string, Rule[]> {
  return {
    'public.profiles': [
      {
        rule: 'the role of an administrator waits if the bank requires a second administrator',
        as: admin,
        sql: `update public.profiles set role = 'admin' where id = '${own}'`,
        prepare: `select private.set_settings('{"staff_approval_above": 1000}')`,
        see: `select status || ' ' || kind || ' ' || (${lastAudit}) from public.requests where about = '${own}'`,
        expected: '0 row: waiting promotion request_approval',
      },
      {
        rule: 'a role that an administrator assigns is written to auth.users',
        as: admin,
        sql: `update public.profiles set role = 'admin' where id = '${own}'`,
        see: `select raw_app_meta_data ->> 'role' from auth.users where id = '${own}'`,
        expected: '1 row: admin',
      },
      withoutRecentProof('assign a role', `update public.profiles set role = 'admin' where id = '${own}'`),
      {
        rule: 'a customer cannot assign a role, even in a row that does not exist',
        as: customer,
        sql: `update public.profiles set role = 'admin' where id = gen_random_uuid()`,
        expected: '42501',
      },
    ],
  }
}
