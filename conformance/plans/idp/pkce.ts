import { createHash, randomBytes } from 'node:crypto'

interface Pkce {
  readonly verifier: string
  readonly challenge: Readonly<Record<'code_challenge' | 'code_challenge_method', string>>
}

/**
 * A new code_verifier, and the parameters of the authorization request for it. The challenge
 * contains - and _, so that no IDP passes with base64 instead of base64url by chance.
 * @param length of the code_verifier: 43 to 128
 * @param start of the code_verifier
 */
export function createPkce(length = 64, start = ''): Pkce {
  const verifier = `${start}${randomBytes(96).toString('base64url')}`.slice(0, length)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return /-.*_|_.*-/.test(code_challenge)
    ? { verifier, challenge: { code_challenge, code_challenge_method: 'S256' } }
    : createPkce(length, start)
}
