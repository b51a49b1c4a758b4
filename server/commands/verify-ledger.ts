/** `npm run verify-ledger`: exit code 0 when every chain, balance and list agrees, 1 with the first entry that does not. */
import { describeBroken } from '#ledger/verify.ts'
import { runCommandLine } from './command-line.ts'
import { runOnBank } from './run-on-bank.ts'

await runCommandLine({ usage: 'npm run verify-ledger [-- --json]', options: {} }, async (_call, config) => {
  const verdict = await runOnBank(config, 'verify-ledger', null)
  const { broken, entries, customers, auditRows } = verdict
  const sentence =
    broken === null
      ? `The ledger holds: ${entries} entries of ${customers} customers, ${auditRows} rows of the audit.`
      : `The ledger is BROKEN at ${describeBroken(broken)}.`
  return { sentences: [sentence], result: verdict, isGood: broken === null }
})
