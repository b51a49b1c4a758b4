/** The network of a client, the unit of rate limits and queues. */
import { isIPv4 } from 'node:net'

/**
 * Returns what counts as one network: an IPv4 address as it is; of an IPv6 address the first 64 bits, because a
 * customer of a provider has all addresses behind them. Other text stays as it is.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.toLowerCase().split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (isIPv4(bare) || !bare.includes(':')) return bare
  const [head = '', tail] = bare.split('::', 2)
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const first = [...before, ...Array.from({ length: gap }, () => '0'), ...after].slice(0, 4)
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
