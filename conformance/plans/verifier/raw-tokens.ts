import { encodeBase64url } from '#core/crypto/base64url.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { createSignature } from '#core/crypto/jws.ts'
import { setMembers } from '#wallet-emulator/faults/change-jws.ts'
import type { FaultContext } from '#wallet-emulator/faults/wallet-fault.ts'
import type { CheckLevel } from '../../kit/check.ts'
import { type PresentationCase, withChange, withDefect } from './presentation-checks.ts'

/** A deviation in the text of a JWT, which JSON and JWT libraries cannot produce. */
export interface RawDeviation {
  /** What is wrong, to follow the name of the token: `contains iss twice`. */
  readonly what: string
  readonly level?: CheckLevel
  /** What to change in a verifier that accepts it, if that is not the fix of the check. */
  readonly fix?: string
  /** Changes the JSON text of the header. */
  readonly header?: (json: string) => string
  /** Changes the JSON text of the payload. */
  readonly payload?: (json: string) => string
  /** How the payload is encoded. By default in base64url. */
  readonly encode?: (json: string) => string
  /** Changes the signed token. */
  readonly afterwards?: (token: string) => string
}

/** Signs the changed text, so that only the deviation is wrong. */
function createToken(
  json: { readonly header: string; readonly payload: string },
  privateKey: PrivateJwk,
  { header, payload, encode = encodeBase64url, afterwards }: RawDeviation,
): string {
  const parts = [
    encodeBase64url(header?.(json.header) ?? json.header),
    encode(payload?.(json.payload) ?? json.payload),
  ]
  const signature = createSignature('ES256K', privateKey, Buffer.from(parts.join('.')))
  const token = [...parts, encodeBase64url(signature)].join('.')
  return afterwards?.(token) ?? token
}

/** A valid presentation of a credential with the deviation. */
export const inCredential = (deviation: RawDeviation): PresentationCase => ({
  ...withDefect(`The credential ${deviation.what}.`, {
    sign: (header, payload, privateKey) =>
      createToken(
        { header: JSON.stringify(header), payload: JSON.stringify(payload) },
        privateKey,
        deviation,
      ),
  }),
  ...(deviation.level && { level: deviation.level }),
  fix: deviation.fix,
})

/** A presentation with the deviation, of a valid credential. */
export const inPresentation = (deviation: RawDeviation): PresentationCase => ({
  ...withChange(`The presentation ${deviation.what}.`, {
    presentationResponse: setMembers({
      vp_token: (token: unknown, { account }: FaultContext) => {
        const [header = '', payload = ''] = String(token)
          .split('.')
          .map((part) => Buffer.from(part, 'base64url').toString())
        return createToken({ header, payload }, account.privateKey, deviation)
      },
    }),
  }),
  ...(deviation.level && { level: deviation.level }),
  fix: deviation.fix,
})

/** Adds a member at the end of an object, where a parser that keeps the last one finds it. */
export const addLast = (name: string, value: unknown) => (json: string) =>
  json.replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`)

/** Adds a member at the beginning of an object, where a parser that keeps the first one finds it. */
export const addFirst = (name: string, value: unknown) => (json: string) =>
  json.replace(/^\{/, `{${JSON.stringify(name)}:${JSON.stringify(value)},`)
