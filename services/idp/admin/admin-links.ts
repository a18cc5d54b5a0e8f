import type { Request } from 'express'
import type { Clock } from '#kit/runtime.ts'
import { digest, randomToken } from '#kit/secrets.ts'
import { notLoopback } from '../errors.ts'

/** One-time links that log an administrator in without a password. */
export interface AdminLinks {
  /** The code of a new link. */
  create(username: string): string
  /** The account of a link, which is used up; undefined if the code is unknown or has expired. */
  redeem(code: string): string | undefined
}

const lifetimeSeconds = 60
const mostLinks = 20

/**
 * Keeps the codes in memory, under their digest, so that the time of a comparison reveals nothing
 * about them. They expire after a minute, also if the clock is set back.
 */
export function createAdminLinks(clock: Clock): AdminLinks {
  const links = new Map<string, { readonly username: string; readonly createdAt: number }>()
  return {
    create(username) {
      const code = randomToken()
      links.set(digest(code), { username, createdAt: clock.seconds() })
      for (const oldest of links.keys()) {
        if (links.size <= mostLinks) break
        links.delete(oldest)
      }
      return code
    },
    redeem(code) {
      const key = digest(code)
      const link = links.get(key)
      links.delete(key)
      const age = link === undefined ? -1 : clock.seconds() - link.createdAt
      return age >= 0 && age < lifetimeSeconds ? link?.username : undefined
    },
  }
}

const loopback = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/

/**
 * Rejects requests from other machines.
 *
 * @throws TestbedError `not_loopback` (403)
 */
export function requireLoopback({ socket }: Pick<Request, 'socket'>): void {
  if (!loopback.test(socket.remoteAddress ?? '')) throw notLoopback()
}
