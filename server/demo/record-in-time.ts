/** Sets the recording time of every entry in the demo's journal to the time of the entry's transaction. */
import { engineDirectoryOf } from '#data-directory/data-directory.ts'
import { openPglite } from '#database/pglite/pglite.ts'

/**
 * Rewrites the journal of a bank that no process has open, as if each transaction had been recorded when it happened.
 * Connects as the superuser of the demo's engine and disables the triggers, because they refuse changes to entries.
 */
export async function recordInTime(dataDir: string): Promise<void> {
  const { database, owner } = await openPglite(engineDirectoryOf(dataDir))
  try {
    await owner.script(chainsInTime)
  } finally {
    await database.close()
  }
}

const chainsInTime = `
  set local session_replication_role = 'replica';
  do $$
  declare
    entry ledger.journal;
    previous bytea;
  begin
    for entry in select j.* from ledger.journal j order by j.user_id, j.seq loop
      previous := case entry.seq when 1 then decode(repeat('00', 32), 'hex') else previous end;
      entry.recorded_at := coalesce(entry.dated_at, entry.recorded_at);
      entry.previous_hash := previous;
      entry.hash := ledger.entry_hash(entry);
      update ledger.journal j
      set recorded_at = entry.recorded_at, previous_hash = entry.previous_hash, hash = entry.hash
      where j.user_id = entry.user_id and j.seq = entry.seq;
      previous := entry.hash;
    end loop;
  end
  $$`
