import type { CheckLevel } from '../../kit/check.ts'
import { nearMisses } from '../../kit/near-misses.ts'
import { probe } from './find-login-page.ts'

interface SimilarAddress {
  /** To follow the name of the parameter: `has a different host`. */
  readonly what: string
  readonly redirect_uri: string
  readonly level?: CheckLevel
}

/** Addresses that a careless comparison takes for the registered one. */
export function similarAddresses(registered: string): readonly SimilarAddress[] {
  const { protocol, host, hostname, origin, pathname } = new URL(registered)
  const rest = registered.slice(registered.indexOf(host) + host.length)
  const at = (before: string, after = rest) => `${protocol}//${before}${after}`
  const changePath = (change: (path: string) => string) => at(host, change(rest))
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
  const query = `${registered.includes('?') ? '&' : '?'}${probe}=1`
  const last = pathname.slice(-1)
  const all: readonly SimilarAddress[] = [
    { what: 'has a different host', redirect_uri: 'https://attacker.example/callback' },
    { what: 'has a longer path', redirect_uri: `${registered}/further` },
    {
      what: 'has a host that begins with the registered one',
      redirect_uri: at(`${host.replace(/:\d+$/, '')}.attacker.example`),
    },
    {
      what: 'has a host that ends with the registered one',
      redirect_uri: at(`attacker-${host}`),
    },
    {
      what: 'has the registered host as user information',
      redirect_uri: at(`${hostname}@attacker.example`),
    },
    { what: 'has added user information', redirect_uri: at(`${probe}@${host}`) },
    {
      what: 'contains the registered address in its query',
      redirect_uri: `https://attacker.example/?${registered}`,
    },
    {
      what: 'has a different scheme',
      redirect_uri: registered.replace(/^https?/, (scheme) =>
        scheme === 'http' ? 'https' : 'http',
      ),
    },
    {
      what: 'has a different port',
      redirect_uri: at(`${hostname}:8`),
      // Native apps listen on any port (RFC 8252, 7.3).
      ...(isLoopback && { level: 'practice' as const }),
    },
    { what: 'has an added query parameter', redirect_uri: `${registered}${query}` },
    { what: 'has a fragment', redirect_uri: `${registered}#${probe}` },
    { what: 'has an added slash at the end', redirect_uri: `${registered}/` },
    { what: 'leaves its folder with ..', redirect_uri: `${registered}/../elsewhere` },
    {
      what: 'has an encoded letter',
      redirect_uri: registered.endsWith(last)
        ? `${registered.slice(0, -1)}%${last.charCodeAt(0).toString(16)}`
        : registered,
      // The same resource (RFC 3986, 6.2.2.2), but not the same string.
      level: 'final',
    },
    {
      what: 'has only the registered origin',
      redirect_uri: `${origin}/`,
    },
    { what: 'has only the path', redirect_uri: rest },
    {
      what: 'is the path of a different folder',
      redirect_uri: changePath((path) => `/other${path}`),
    },
    ...nearMisses
      .filter(({ what }) => /case/.test(what) === false)
      .map(({ what, change }) => ({
        what,
        redirect_uri: changePath((path) => `/${change(path.slice(1) || 'a')}`),
      })),
    { what: 'has upper case and lower case exchanged in its path', redirect_uri: changePath(swap) },
  ]
  const { href } = new URL(registered)
  return all.filter(({ redirect_uri }) => URL.parse(redirect_uri)?.href !== href)
}

const swap = (path: string) => nearMisses.at(-1)?.change(path) ?? path
