/** Rules about users that only triggers can enforce. */
import type { EffectWords, Rule } from './effect-words.ts'

/** Rules about users. */
export function userRules(words: EffectWords): Record<string, Rule[]> {
  const { service, owner, own, newId, isNoted } = words
  return {
    'auth.users': [...newUserRules(words), ...reportedUserRules(words), ...changedUserRules(words)],
    'public.account_holders': [
      {
        rule: 'even the owner cannot change an account number',
        as: owner,
        sql: `update public.account_holders set account_number = private.new_account_number() where user_id = '${own}'`,
        expected: 'PT403',
      },
    ],
    'auth.sessions': [
      {
        rule: 'a sign-in from a new device is noted',
        as: service,
        sql: `select auth.open_session('${newId}', '${own}', 'password', '{"userAgent": "x", "ip": "203.0.113.9"}')`,
        ...isNoted('new_device'),
      },
    ],
  }
}

/** Rules about new users. */
function newUserRules({ admin, service, own, newId, newUser, withoutRecentProof }: EffectWords): Rule[] {
  return [
    {
      rule: 'a new user has a profile and a budget',
      as: service,
      sql: newUser('{}'),
      see: `select full_name || ' ' || role || ' ' || balance
          from public.profiles p join public.budgets on user_id = p.id where p.id = '${newId}'`,
      expected: '1 row: Inés user 0',
    },
    {
      rule: 'a new user has an account number',
      as: service,
      sql: newUser('{}'),
      see: `select private.is_account_number(account_number) from public.account_holders where user_id = '${newId}'`,
      expected: '1 row: true',
    },
    {
      rule: 'a new address is in the list of users',
      as: service,
      sql: `update auth.users set email = 'otra@banco.example' where id = '${own}'`,
      see: `select email from public.user_safe where id = '${own}'`,
      expected: '1 row: otra@banco.example',
    },
    withoutRecentProof('create another administrator', newUser('{"role": "admin"}'), {
      ...admin,
      role: 'supabase_auth_admin',
    }),
  ]
}

/** Rules about the audit and the mails that follow a change. */
function reportedUserRules({ service, own, newUser, ban, isAudited }: EffectWords): Rule[] {
  return [
    {
      rule: 'a new administrator is in the audit',
      as: service,
      sql: newUser('{"role": "admin"}'),
      ...isAudited('create_user'),
    },
    {
      rule: 'a ban is in the audit',
      as: service,
      sql: ban(own),
      ...isAudited('ban_user'),
    },
    {
      rule: 'a ban is mailed to the person',
      as: service,
      sql: ban(own),
      prepare: `delete from auth.outgoing_mails`,
      see: `select string_agg(notice ->> 'topic', ' ') from auth.outgoing_mails`,
      expected: '1 row: ban_user',
    },
    {
      rule: 'a new administrator is announced to the existing administrators',
      as: service,
      sql: newUser('{"role": "admin"}'),
      prepare: `delete from auth.outgoing_mails`,
      see: `select string_agg(distinct notice #>> '{facts,target}', ' ') from auth.outgoing_mails`,
      expected: '1 row: Inés',
    },
  ]
}

/** Rules about the change of a role, and about the end of an account. */
function changedUserRules({
  service,
  own,
  adminId,
  ban,
  lastEntry,
  theLastAdministrator,
}: EffectWords): Rule[] {
  return [
    {
      rule: 'a person with a pending change of address cannot become an administrator',
      as: service,
      sql: `update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = '${own}'`,
      prepare: `insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
          values ('${own}', 'otra@banco.example', 'a', 'b')`,
      expected: 'PT403',
    },
    {
      rule: 'a change of role deletes the person’s unused links',
      as: service,
      sql: `update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = '${own}'`,
      prepare: `select auth.store_one_time_token('${own}', 'recovery', 'a', 'b', 60, null, 60, null, null)`,
      see: `select count(*) from auth.one_time_tokens where user_id = '${own}'`,
      expected: '1 row: 0',
    },
    theLastAdministrator('deleted', `delete from auth.users where id = '${adminId}'`),
    theLastAdministrator('banned', ban(adminId)),
    {
      rule: 'the deletion of a user adds a closing entry to the journal',
      as: service,
      sql: `delete from auth.users where id = '${own}'`,
      see: lastEntry,
      expected: '1 row: closing -86.50',
    },
  ]
}
