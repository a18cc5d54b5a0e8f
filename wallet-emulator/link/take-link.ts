import { findLink, type LinkKind } from '#core/link/find-link.ts'
import { walletError } from '../wallet-error.ts'

/**
 * The link of that kind in a string, or else the whole string, whose parser then says what is wrong.
 * @throws TestbedError `invalid_link` if it is not a string, such as a member that a response lacks
 */
export function takeLink(text: unknown, kind: LinkKind): string {
  if (typeof text === 'string') return findLink(text, kind)?.link ?? text.trim()
  const found = text === undefined || text === null ? String(text) : `of the type ${typeof text}`
  throw walletError('invalid_link', `The link must be a string. It is ${found}.`)
}
