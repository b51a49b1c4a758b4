/**
 * `npm run verify-ledger`: exits with code 0 if every chain, balance and list of transactions is consistent. Otherwise
 * exits with code 1. Prints the first inconsistent entry.
 */
import { describeBroken } from '#ledger/verify.ts'
import { counted, refuseWords, runCommandLine } from '#operator/command-line.ts'
import { runCommand } from '#operator/run-command.ts'

await runCommandLine(
  { usage: 'npm run verify-ledger -- [--json]', options: {} },
  async ({ positionals }, config) => {
    refuseWords(positionals)
    const verdict = await runCommand(config, 'verify-ledger', null)
    const { broken, entries, customers, administrators, closedAccounts, auditRows } = verdict
    const accounts = [
      counted(customers, 'cliente', 'clientes'),
      counted(administrators, 'administrador', 'administradores'),
      ...(closedAccounts > 0 ? [counted(closedAccounts, 'cuenta cerrada', 'cuentas cerradas')] : []),
    ]
    const sentence =
      broken === null
        ? `Libro verificado: ${counted(entries, 'asiento', 'asientos')}; ${accounts.join(', ')}; ` +
          `${counted(auditRows, 'registro', 'registros')} de auditoría.`
        : `El libro NO ES CORRECTO en ${describeBroken(broken)}.`
    return { sentences: [sentence], result: verdict, isGood: broken === null }
  },
)
