import { parseJws } from '#core/crypto/jws.ts'
import {
  type VerifyProofOfPossessionOptions,
  verifyProofOfPossession,
} from '#core/oid4vci/proof-of-possession.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'

/** A proof of possession as it arrived. */
export interface ReceivedProof {
  /** Empty where the request holds none. */
  readonly jwt: string
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  /** The c_nonce that it had to carry. */
  readonly expectedNonce: string
  /** Whom the proof names, be it proven or not. */
  readonly holderDid: string | undefined
  readonly failures: readonly VerificationFailure[]
}

/** Reads the proof of a credential request's body, and verifies it by every rule. */
export function readProof(
  body: string,
  options: Omit<VerifyProofOfPossessionOptions, 'jwt' | 'cNonce'> & {
    readonly cNonce: { readonly value: string; readonly expiresAt: number }
  },
): ReceivedProof {
  const jwt = proofIn(body)
  const jws = parseJws(jwt)
  const { header, payload }: Pick<ReceivedProof, 'header' | 'payload'> = jws.ok
    ? jws
    : { header: {}, payload: {} }
  const verified = verifyProofOfPossession({ ...options, jwt })
  const named = [payload.iss, header.kid].find((did) => typeof did === 'string')
  return {
    jwt,
    header,
    payload,
    expectedNonce: options.cNonce.value,
    holderDid: named?.split('#', 1)[0],
    failures: verified.ok ? [] : verified.failures,
  }
}

function proofIn(body: string): string {
  const { jwt } = (membersIn(body)?.proof ?? {}) as { jwt?: unknown }
  return typeof jwt === 'string' ? jwt : ''
}

/** The members of a JSON object in a text; undefined where the text is none. */
export function membersIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
