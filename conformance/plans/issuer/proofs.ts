import { encodeBase64url, encodeJson } from '#core/crypto/base64url.ts'
import { createSignature, createSigningInput } from '#core/crypto/jws.ts'
import { createCredentialRequest } from '#core/oid4vci/credential-request.ts'
import { proofOfPossessionType } from '#core/oid4vci/proof-of-possession.ts'
import type { RedeemedOffer } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { Account } from '#wallet-emulator/keys/create-account.ts'
import {
  type CheckLevel,
  type CheckTexts,
  defineChecks,
  endCheck,
  type Finding,
  inconclusive,
} from '../../kit/check.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { findEach } from '../../kit/find-each.ts'
import type { IssuerContext } from './context.ts'
import { askForCredential, entryOf, redeem } from './redeeming.ts'
import { findWalletRefusal } from './refusals.ts'

/** The members of a proof of possession as documented, and everything that a wrong one needs. */
export interface Proof {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly account: Account
  readonly credentialIssuer: string
  readonly cNonce: string
  /** Unix seconds. */
  readonly now: number
}

/** A proof that the issuer must reject. */
export interface WrongProof {
  /** To follow `A proof with`. */
  readonly what: string
  /** The level of its acceptance, if lower than that of the check. */
  readonly level?: CheckLevel
  /** Returns the JWT, by default signed by the holder after {@link change}. */
  readonly change: (proof: Proof) => Partial<Proof> | string
}

/** A credential request that the issuer must reject. */
export interface WrongRequest extends Pick<WrongProof, 'level'> {
  /** The beginning of a sentence: `A proof with …`. */
  readonly what: string
  readonly bodyOf: (session: Session) => unknown
}

interface WrongProofsRow extends CheckTexts {
  /** In a sentence: `a similar aud`. */
  readonly sends: string
  readonly proofs: readonly WrongProof[] | ((context: IssuerContext) => readonly WrongProof[])
}

/** Signs header and payload unchanged. */
export function signProof({
  header,
  payload,
  account,
}: Pick<Proof, 'header' | 'payload' | 'account'>) {
  return signText(createSigningInput(header, payload), account)
}

/** Appends the holder's signature of this text to it. */
export function signText(input: string, { algorithm, privateKey }: Account): string {
  return `${input}.${encodeBase64url(createSignature(algorithm, privateKey, Buffer.from(input)))}`
}

/** A proof whose header differs in these members, with a valid signature. */
export const withHeader =
  (members: Readonly<Record<string, unknown>>) =>
  ({ header }: Proof) => ({ header: { ...header, ...members } })

/** A proof whose payload differs in these members, with a valid signature. */
export const withPayload =
  (members: Readonly<Record<string, unknown>>) =>
  ({ payload }: Proof) => ({ payload: { ...payload, ...members } })

/** A proof in the name of this DID, signed by the holder. */
export function ofDid(
  { header, payload }: Proof,
  did: string,
  fragment = did.slice('did:key:'.length),
) {
  return {
    header: { ...header, kid: `${did}#${fragment}` },
    payload: { ...payload, iss: did },
  }
}

/** A proof in the name of the did:jwk that contains this JSON, signed by the holder. */
export const ofJwk = (proof: Proof, jwk: object, fragment = '0') =>
  ofDid(proof, `did:jwk:${encodeJson(jwk)}`, fragment)

/** Declares checks that wrong proofs of possession are rejected. */
export const refusedProofs = (rows: Readonly<Record<`${string}-${string}`, WrongProofsRow>>) =>
  defineChecks<IssuerContext, WrongProofsRow>(rows, ({ proofs, sends, ...texts }) => ({
    ...texts,
    expectation: 'refuse',
    control: 'offer',
    sends: `Credential requests with ${sends}.`,
    decides:
      'The credential endpoint responds to each with a 4xx and no credential, while a correct proof gets one.',
    run: (context) =>
      findRequestsRefused(
        context,
        (typeof proofs === 'function' ? proofs(context) : proofs).map(toRequest),
      ),
  }))

const toRequest = ({ what, change, ...wrong }: WrongProof): WrongRequest => ({
  ...wrong,
  what: `A proof with ${what}`,
  bodyOf: (session) => createBodyWith(session, change),
})

/** The documented credential request, except for its proof. */
export function createBodyWith(session: Session, change: WrongProof['change']) {
  const proof = createProof(session)
  const changed = change(proof)
  const proofJwt = typeof changed === 'string' ? changed : signProof({ ...proof, ...changed })
  const { format, types } = entryOf(session.resolved)
  return createCredentialRequest({ format, types, proofJwt })
}

/** Sends credential requests that must be rejected, while a correct one gets a credential. */
export async function findRequestsRefused(
  context: IssuerContext,
  requests: readonly WrongRequest[],
): Promise<Finding> {
  const finding = await findEachRefused(context, requests, 'one')
  return finding ?? (await findEachRefused(context, requests, 'several')) ?? undecided
}

const undecided = inconclusive('A correct request after the wrong ones was rejected: see I45.')

/**
 * Sends each wrong request. Undefined if a correct proof in the same session is then rejected, so
 * that the session may be the reason for the rejections.
 *
 * @param sessions `one` continues with the c_nonce of an error response, if it has one
 */
async function findEachRefused(
  context: IssuerContext,
  requests: readonly WrongRequest[],
  sessions: 'one' | 'several',
): Promise<Finding | undefined> {
  let session: Session | undefined
  const finding = await findEach(requests, async (wrong) => {
    const current = session ?? (await openSession(context))
    const { finding, answer } = await findRequestRefused(context, current, wrong)
    const cNonce = sessions === 'one' ? freshNonceIn(answer) : undefined
    // An accepted request may have used up the access token.
    const continues = finding.kind === 'held' && cNonce !== undefined
    session = continues ? { ...current, token: { ...current.token, cNonce } } : undefined
    return finding
  })
  if (finding.kind !== 'held' || session === undefined) return finding
  const { status } = await askForCredential(context, session)
  if (classifyStatus(status) !== 'accepted') return undefined
  context.proven.add('offer')
  return finding
}

function freshNonceIn(answer: HttpAnswer | undefined): string | undefined {
  const { c_nonce: cNonce } = (answer?.json ?? {}) as { c_nonce?: unknown }
  return typeof cNonce === 'string' ? cNonce : undefined
}

export type Session = RedeemedOffer & { readonly wallet: Wallet }

/** Redeems an offer. Without a c_nonce no proof is required, so the check ends. */
export async function openSession(context: IssuerContext): Promise<Session> {
  const session = await redeem(context)
  if (session.token.cNonce !== undefined) return session
  endCheck(inconclusive('The token response has no c_nonce, so no proof is required: see I10.'))
}

async function findRequestRefused(
  context: IssuerContext,
  session: Session,
  { what, level, bodyOf }: WrongRequest,
) {
  const json = bodyOf(session)
  const answer = await askForCredential(context, session, { json })
  const finding = findWalletRefusal(answer, { what })
  const isLess = finding.kind === 'broken' && level !== undefined
  return { finding: isLess ? { level, ...finding } : finding, answer }
}

/** The documented proof of a session. */
function createProof({ resolved, token, wallet }: Session): Proof {
  const { account } = wallet
  const { credentialIssuer } = resolved.metadata
  const { cNonce = '' } = token
  const now = wallet.now()
  return {
    header: { alg: account.algorithm, typ: proofOfPossessionType, kid: account.kid },
    payload: { iss: account.did, aud: credentialIssuer, iat: now, nonce: cNonce },
    account,
    credentialIssuer,
    cNonce,
    now,
  }
}

/** The statements about a proof's header and payload. */
export const headerRow = '1.resources-and-their-fields/proof-of-possession-jwt.1'
export const payloadRow = '1.resources-and-their-fields/proof-of-possession-jwt.2'
