/**
 * The permissions of each actor on each kind of row: the whole list. What no sentence here permits must be refused or come to
 * nothing, for each actor, in SQL and on the wire (security.md AZ-01); a table, column or function that is new is
 * refused until a sentence permits it. Read it as an auditor would.
 *
 * People are all users with a living session, whatever their token claims about them. What is not of
 * `public` is out of the wire's reach; its sentences are about SQL alone.
 */
export const permissions = [
  'people may select transactions of their own',
  'people may insert transactions(user_id, id, type, description, amount, date, category) of their own',
  'people may delete transactions of their own',
  'people may join transactions',
  'people may receive transactions of their own',
  'people may select budgets of their own',
  'people may update budgets(monthly_limit) of their own',
  'people may join budgets',
  'people may receive budgets of their own',
  'people may select journal_entries of their own',
  'people may call explain_balance',
  'people may call sum_transactions',
  'people may call export_my_data',
  'people may call restore_transaction of their own',
  'people may invoke delete-account',

  'administrators may select profiles of anybody',
  'administrators may update profiles(role) of others',
  'administrators may select user_safe of anybody',
  'administrators may embed profiles with user_safe',
  'administrators may embed user_safe with profiles',
  'administrators may select audit_entries of anybody',
  'administrators may call register_transaction of anybody',
  'administrators may call delete_user of others',
  'administrators may call begin_user_creation of anybody',
  'administrators may call abort_user_creation',
  'administrators may invoke manage-transactions:create of anybody',
  'administrators may invoke manage-users:create',
  'administrators may invoke manage-users:delete of others',

  'the service may select transactions of anybody',
  'the service may select budgets of anybody',
  'the service may select profiles of anybody',
  'the service may select user_safe of anybody',
  'the service may embed profiles with user_safe',
  'the service may embed user_safe with profiles',
  'the service may join transactions',
  'the service may receive transactions of anybody',
  'the service may join budgets',
  'the service may receive budgets of anybody',
  'the service may call record_audit of anybody',
  'the service may call erase_account of anybody',

  // Beneath what the wire can name.
  'people may call private.is_admin',
  'administrators may call private.require_admin',
  'people may call private.delete_own_account',
  'administrators may call private.replay_answer',
  'administrators may call private.claim_answer',
  'the service may call private.is_admin',
  'the service may call ledger.check_entries',
  'the service may call ledger.check_balances',
  'the service may call ledger.check_audit',
  'the service may call ledger.read_daily_check',
  'the service may call ledger.lease_daily_check of anybody',
  'the service may call ledger.release_daily_check of anybody',
  'the service may call private.record_audit of anybody',
  'the service may call private.act_as of anybody',
  'the authentication service may call private.record_audit of anybody',
  'the authentication service may call private.act_as of anybody',
  'the authentication service may call private.purge_expired',
] as const
