import { isIP } from 'node:net'

/** Whether a host name in an address or a setting is one of loopback. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  // RFC 6761: names below localhost are loopback too.
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}
