import { createHash } from 'node:crypto'
import type { Configuration } from 'oidc-provider'

/**
 * oidc-provider's cookies under names of this provider's own. Browsers do not tell the ports of one
 * host apart: two providers on a laptop would overwrite each other's sessions.
 * @param baseUrl the provider's public address
 * @param keys secrets that sign the cookies, newest first
 */
export function openidCookies(
  baseUrl: string,
  keys: readonly string[],
): NonNullable<Configuration['cookies']> {
  const prefix = createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)
  return {
    keys: [...keys],
    names: {
      session: `${prefix}_session`,
      interaction: `${prefix}_interaction`,
      resume: `${prefix}_resume`,
    },
    long: { httpOnly: true, sameSite: 'lax', signed: true },
    short: { httpOnly: true, sameSite: 'lax', signed: true },
  }
}
