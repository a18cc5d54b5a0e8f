import { expectEqual } from '#scenarios/harness/expectations.ts'

/**
 * The body of an attribute is a JWT: as it is, or in base64url once more, since "accreditation JWT,
 * base64url" can be read as either.
 */
export function expectBody(body: string, jwt: string): void {
  const decoded = Buffer.from(body, 'base64url').toString('utf8')
  expectEqual('body', decoded === jwt ? decoded : body, jwt)
}
