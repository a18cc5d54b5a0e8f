import type { SigningKey } from '#kit/openid-provider/list-signing-keys.ts'

// A request that was under way when the next key took over may have signed a moment later.
const leewaySeconds = 60

/**
 * Until when a key stands in the key set: as long as a token that it signed may be valid. Undefined
 * for the key that signs.
 * @param tokenLifetime of the longest-lived token, in seconds
 * @returns Unix seconds, not included
 */
export function publishedUntil(
  { supersededAt }: SigningKey,
  tokenLifetime: number,
): number | undefined {
  return supersededAt === undefined ? undefined : supersededAt + tokenLifetime + leewaySeconds
}

/** Whether a key stands in the key set at a time (Unix seconds). */
export function isPublished(key: SigningKey, tokenLifetime: number, now: number): boolean {
  const end = publishedUntil(key, tokenLifetime)
  return end === undefined || now < end
}
