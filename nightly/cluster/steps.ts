/** The steps of a bank test on several machines: each step ends a server or the primary, and revives it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, Replica } from '#testing/cluster.ts'
import type { Servers } from './both-servers.ts'

/**
 * Time between the moment when the replica stops receiving data and the kill of the primary. Any commit that the
 * primary acknowledges during this time is lost.
 */
const replicaDeafMs = 400

type Step = { end(): Promise<unknown>; revive(): Promise<void> }

/** Kills one server, then stops the other, and kills the primary last. */
export function stepsOf([one, other]: Servers, failover: Step) {
  const turns: readonly Step[] = [
    { end: () => one.stop('SIGKILL'), revive: () => one.start() },
    { end: () => other.stop('SIGTERM'), revive: () => other.start() },
    failover,
  ]
  let turn = -1
  return {
    async end() {
      turn += 1
      await turns[turn]?.end()
      return null
    },
    async revive() {
      await turns[turn]?.revive()
    },
  }
}

/**
 * Cuts off the replica and kills the primary a short time later. If the primary acknowledges a commit between these two
 * steps without waiting for the replica, the commit is lost.
 */
export async function killUnheard(cluster: Cluster): Promise<void> {
  const endSending = await cluster.holdReplication()
  await pause(replicaDeafMs)
  await cluster.kill()
  endSending()
}

export async function takeOver(replica: Replica, roles: { moveToSecond(): void }): Promise<void> {
  await replica.promote()
  roles.moveToSecond()
}
