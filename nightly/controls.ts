/**
 * A test that was never seen red proves nothing: each suite once more, small, with a fault in what it judges.
 * The faults are put into throw-away databases, files and models; the product has no switch for any of them.
 */
import { runAdministrators } from './ledger/administrators.ts'
import { type BankPlant, runBank } from './bank/bank.ts'
import { runDoublePosts } from './ledger/double-posts.ts'
import { type Figure } from './report/figure.ts'
import { runModel } from './ledger/model.ts'
import { runPowerLoss } from './power-loss/power-loss.ts'
import { runRig } from './rig/rig.ts'
import { runRefusalTiming } from './identity/timing.ts'
import { runTampering } from './ledger/tampering.ts'

const bank = (plant: BankPlant) => (seed: number) =>
  runBank({ target: 'the server, PostgreSQL', writers: 16, kills: 2, signal: 'SIGKILL', seed, plant })

/** What is broken, and the run that must notice. */
export const controls: Readonly<Record<string, { fault: string; run: (seed: number) => Promise<Figure[]> }>> =
  {
    'read-modify-write': { fault: 'the balance is read, and written later', run: bank('read-modify-write') },
    trigger: { fault: 'a third of all movements is not posted', run: bank('trigger') },
    key: { fault: 'whoever asks again does it with a new key', run: bank('key') },
    keyless: {
      fault: 'each of two equal calls has a key of its own',
      run: (seed) => runDoublePosts({ engine: 'PostgreSQL', keys: 40, seed, plant: 'keyless' }),
    },
    fsync: {
      fault: 'the disk says that it has written, and has not',
      run: (seed) => runPowerLoss({ writes: 200, images: 4, seed, plant: 'fsync' }),
    },
    blind: {
      fault: 'the verification does not compare hashes',
      run: (seed) => runTampering({ engine: 'PostgreSQL', mutations: 60, seed, plant: 'blind' }),
    },
    count: {
      fault: 'the last administrator is guarded by counting, without a lock',
      run: () => runAdministrators({ engine: 'PostgreSQL', rounds: 30, plant: 'count' }),
    },
    undo: {
      fault: 'the model forgets what an undone deletion moves',
      run: (seed) => runModel({ engine: 'PostgreSQL', operations: 300, seed, plant: 'undo' }),
    },
    hasty: {
      fault: 'an unknown address is refused without hashing',
      run: () => runRefusalTiming({ engine: 'PostgreSQL', each: 8, plant: 'hasty' }),
    },
    asynchronous: {
      fault: 'the primary does not wait for its replica',
      run: (seed) => runRig({ writers: 8, watchers: 2, seed, hasBrowser: false, plant: 'asynchronous' }),
    },
  }

/** Runs all of them; a figure is met when the fault was found. */
export async function runControls(seed: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, { fault, run }] of Object.entries(controls)) {
    const red = redOf(await run(seed))
    figures.push({
      what: `${name}: ${fault}`,
      value: red.length === 0 ? 'not noticed' : red.map(({ what, value }) => `${what}: ${value}`).join('; '),
      line: 'red',
      isMet: red.length > 0,
    })
  }
  return figures
}

/** What was missed, but for times, which a busy machine misses too. */
export function redOf(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ isMet, what }) => !isMet && !what.endsWith('longest'))
}
