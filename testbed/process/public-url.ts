import { hostInUrl } from '#kit/origins.ts'
import { unfitOptions } from '../errors.ts'

const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Address under which this machine reaches a server that listens on `bind`. */
export function localHostOf(bind: string): string {
  return hostInUrl(loopback[bind] ?? bind)
}

/** The address of a port for this machine. */
export function createLocalUrl(bind = '127.0.0.1'): (port: number) => string {
  return (port) => `http://${localHostOf(bind)}:${port}`
}

/**
 * Returns the public address of a port: scheme and host of `--public-url`, or this machine's own.
 * Every address in a QR code, a link or metadata comes from this function, never from a Host
 * header.
 * @throws TestbedError `invalid_option` unless it is an http(s) origin without a port
 */
export function createPublicUrl(
  bind: string,
  publicUrl: string | undefined,
): (port: number) => string {
  if (publicUrl === undefined) return createLocalUrl(bind)
  const base = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  const isOrigin = base !== undefined && /^https?:$/.test(base.protocol) && base.pathname === '/'
  // Not `base.port`, which is empty for the default port too.
  const hasPort = /:\d*\/?$/.test(publicUrl)
  if (base === undefined || !isOrigin || hasPort || base.search !== '' || base.username !== '') {
    throw unfitOptions(
      `"${publicUrl}" is not a valid public address such as http://192.168.1.20`,
      'Specify only scheme and host, without a port: each service adds its own.',
    )
  }
  return (port) => `${base.protocol}//${base.hostname}:${port}`
}
