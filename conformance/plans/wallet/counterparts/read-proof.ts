import { parseJws } from '#core/crypto/jws.ts'
import { isJsonObject } from '#core/json/json-object.ts'
import {
  type VerifyProofOfPossessionOptions,
  verifyProofOfPossession,
} from '#core/oid4vci/proof-of-possession.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'

/** A proof of possession that arrived. */
export interface ReceivedProof {
  /** Empty if the request contains no proof. */
  readonly jwt: string
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  /** The c_nonce that the proof must contain. */
  readonly expectedNonce: string
  /** The DID that the proof names, even if the proof is invalid. */
  readonly holderDid: string | undefined
  readonly failures: readonly VerificationFailure[]
}

/** Reads the proof in the body of a credential request and evaluates every rule. */
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

/** Parses a string as a JSON object; undefined if it is not a JSON object. */
export function membersIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
