/**
 * Proxies send the requested host in these headers. A client can send them too: if a system creates
 * its addresses from them, and its answer is cached, other clients go to a host of an attacker.
 */
export const forwardedHost: Readonly<Record<string, string>> = {
  forwarded: 'host=forwarded.example',
  'x-forwarded-host': 'forwarded.example',
}
