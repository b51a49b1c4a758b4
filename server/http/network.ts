/** The client's network, which rate limits and queues use to count requests per network. */
import { isIPv4 } from 'node:net'

/**
 * Returns the network of an address: an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because
 * providers assign a whole /64 to each customer. Returns other text unchanged.
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
