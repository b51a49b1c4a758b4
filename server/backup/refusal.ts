/** Why a bank is not restored, moved or saved, in a sentence that says what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
