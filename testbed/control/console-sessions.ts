import { createHash } from 'node:crypto'
import { randomToken } from '#kit/secrets.ts'

/** Browsers that were let in by a one-time link. */
export interface ConsoleSessions {
  /** An address that opens the console once. */
  createLink(): string
  /** Session for a link's code, which is used up by this; undefined for any other. */
  redeem(code: string): string | undefined
  isOpen(session: string): boolean
}

export const consoleCookie = 'lear-testbed-console'

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex')
const largestNumber = 100

/** Keeps the newest of a set; the oldest go. */
function keep(set: Set<string>, secret: string): void {
  set.add(digest(secret))
  for (const oldest of set) {
    if (set.size <= largestNumber) return
    set.delete(oldest)
  }
}

/**
 * One-time links and the sessions that come of them. Both are looked up by their hash, so that the
 * time of a comparison tells nothing about them.
 */
export function createConsoleSessions(consoleUrl: string): ConsoleSessions {
  const codes = new Set<string>()
  const sessions = new Set<string>()
  return {
    createLink() {
      const code = randomToken()
      keep(codes, code)
      return `${consoleUrl}/open?code=${code}`
    },
    redeem(code) {
      if (!codes.delete(digest(code))) return undefined
      const session = randomToken()
      keep(sessions, session)
      return session
    },
    isOpen: (session) => sessions.has(digest(session)),
  }
}
