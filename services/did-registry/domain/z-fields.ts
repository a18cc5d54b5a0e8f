import { z } from 'zod'
import {
  type DidEnvironment,
  didPrefixes,
  isVerificationMethodId,
  parseDidOrg,
} from '#core/did/did-org.ts'
import { zAddress } from '#core/ethereum/account.ts'
import { zPrintableText } from '#kit/z-fields.ts'
import { reservedKeyType, validationError } from '../errors.ts'
import { parseBaseDocument } from './base-document.ts'

/** Members of the bodies below /contract/ (profile/did-registry, Write). */
export const zDid = z
  .string()
  .describe('A DID')
  .meta({ pattern: '^did:org:(uc|uc-pre):z[1-9A-HJ-NP-Za-km-z]{1,63}$' })

export const zFrom = zAddress.describe('Address of the signer')

/**
 * Identifier of a verification method (profile/did-registry, Keys).
 *
 * @row 2.resources-and-their-fields/verification-method-input.1 2.limits.3
 */
export const zVMethodId = z
  .string()
  .refine(
    isVerificationMethodId,
    'must be base64url of 32 bytes: 43 characters without padding, and the unused bits of the last one 0',
  )
  .describe('Identifier of the verification method; a JWK thumbprint is recommended')
  .meta({ pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$' })

export const zPublicKeyType = z
  .enum(['secp256k1', 'JsonWebKey2020', 'P-256'])
  .refine((type) => type !== 'P-256', reservedKeyType)
  .describe('Format of publicKey; P-256 is reserved and returns UNSUPPORTED')

export const zPublicKey = z
  .string()
  .min(1)
  .describe('secp256k1: 0x04, X and Y in hex; JsonWebKey2020: the JWK as JSON in hex with 0x')

/** A uint64 of the contract, within the integers that JSON represents exactly. */
export const zUnixTime = z.int().min(0).describe('Unix time in seconds')

export const zDuration = z.int().min(0).describe('Overlap in seconds in which both keys are valid')

export const zProof = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/, 'must be the proof of the DID generation tool: 65 bytes, 0x-hex')
  .describe('Proof of the DID generation tool')

export const zBaseDocument = z
  .string()
  .max(65_536)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .refine(
    (text) => parseBaseDocument(text) !== undefined,
    'must be a JSON string with the @context, such as ["https://www.w3.org/ns/did/v1"]',
  )
  .describe('Serialized JSON with the @context')

export const zAlsoKnownAs = zPrintableText(4096).describe(
  'Alternative identifier, for example urn:oid:organizationIdentifier:<value>',
)

/** A controller: a DID, or the address of the key whose proof registered one. */
export const zController = z
  .string()
  .refine(
    (text) => parseDidOrg(text) !== undefined || zAddress.safeParse(text).success,
    'must be a DID of this registry, or an address',
  )
  .describe('A DID, or the address of the key that registered one with its proof')

/** Checks that a validity ends after its start; for objects with both times. */
export function endsAfterItBegins(value: { notBefore: number; notAfter: number }): boolean {
  return value.notAfter > value.notBefore
}

/** The schema's problem if {@link endsAfterItBegins} returns false. */
export const endsAfterItBeginsProblem = {
  message: 'must be later than notBefore',
  path: ['notAfter'],
}

/**
 * Rejects a DID that is malformed, or of the other environment (profile/tir, Types).
 * @throws TestbedError `validation_error`
 */
export function requireEnvironment(did: string, environment: DidEnvironment, member: string): void {
  if (parseDidOrg(did)?.environment === environment) return
  throw validationError(
    `${member}: must be ${didPrefixes[environment]} followed by a base58 identifier that starts with z.`,
  )
}
