import { isIP } from 'node:net'

/** Returns true if the host name is a loopback name. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  // RFC 6761: names below localhost are loopback names too.
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}
