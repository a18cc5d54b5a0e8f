import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import type { Defect } from '#conformance/world/defects/defect.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { parseJws } from '#core/crypto/jws.ts'
import {
  createCredentialRequest,
  createDeferredCredentialRequest,
} from '#core/oid4vci/credential-request.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import { createTokenRequest } from '#core/oid4vci/token.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { diffLines, formatDiff } from '#scenarios/reports/describe-failure.ts'
import { presentationFaults } from '#wallet-emulator/faults/find-faults.ts'
import type {
  Change,
  FaultContext,
  JwsDraft,
  WalletFault,
} from '#wallet-emulator/faults/wallet-fault.ts'
import { type Account, createAccount } from '#wallet-emulator/keys/create-account.ts'
import { plain } from './markdown.ts'

const now = 1_800_000_000

/**
 * A defect of a credential as an item of a list: how to get such a credential, and how its claims
 * differ from those of a valid one.
 * @param reference the folder of the reference pages, relative to the page
 */
export function describeDefect(defect: Defect, reference: string): string {
  const { name, description } = defect
  const item = `- ${plain(description)} To get such a credential, order the defect \`${name}\` at the [control interface](${reference}/control-interface.md).`
  // Another issuer's credential differs in every identifier; what is wrong is in the registries.
  if (defect.issuer !== undefined) return item
  return withDifference(item, issueDecoded(), issueDecoded(defect))
}

function issueDecoded(defect?: Defect): unknown {
  const { did: holderDid } = createHolder()
  const jwt = issueCredential(createTrustWorld({ now }), { holderDid, now, defect })
  const jws = parseJws(jwt)
  if (!jws.ok) return jwt
  const { header, payload } = jws
  return {
    header,
    payload: { ...payload, jti: undefined, vc: { ...Object(payload.vc), id: undefined } },
  }
}

/**
 * A wallet fault as an item of a list: the command that sends it, and how the message differs from
 * that of a conformant wallet.
 */
export function describeFault(fault: WalletFault): string {
  const { name, description, algorithms, needs, apply } = fault
  const verb = presentationFaults.includes(fault) ? 'present' : 'accept'
  const item = `- ${plain(description)} To send it, run \`testbed wallet ${verb} --fault ${name} LINK\`.`
  const curve = algorithms?.includes('ES256K') === false ? 'Ed25519' : 'secp256k1'
  const account = createAccount({ curve, seed: 'holder' })
  const context = {
    account,
    otherAccount: createAccount({ curve, seed: 'another holder' }),
    now,
    wait: async () => {},
  }
  const messages = createMessages(account, needs?.includes('pin') ? '4935' : undefined)
  const changed = Object.entries(messages).find(([stage]) => stage in apply)
  if (changed === undefined) return item
  const [stage, message] = changed
  const change = apply[stage as keyof typeof messages] as Change<object>
  return withDifference(item, message, change.apply(message, context satisfies FaultContext))
}

/** The messages of a conformant wallet, by the stage at which a fault changes them. */
function createMessages(account: Account, txCode?: string) {
  const holder = { holderDid: account.did, kid: account.kid, privateKey: account.privateKey, now }
  const issuer = { credentialIssuer: 'https://issuer.example', cNonce: 'P2nNpi88lM' }
  const proofJwt = createProofOfPossession({ ...holder, ...issuer })
  const verifier = { audience: 'did:org:uc-pre:z1Verifier', nonce: 'n-0S6WzA2Mj' }
  const credentials = ['eyJhbGciOiJFUzI1NksifQ.eyJ2YyI6e319.c2ln']
  const vpToken = createVpToken({ ...holder, ...verifier, credentials })
  const submission = createPresentationSubmission({ id: 'submission', queryId: 'lear-credential' })
  const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']
  const preAuthorizedCode = 'xHVO50tS6S'
  return {
    tokenRequest: createTokenRequest({ preAuthorizedCode, ...(txCode && { txCode }) }),
    proof: draftOf(proofJwt),
    credentialRequest: createCredentialRequest({ format: 'jwt_vc_json', types, proofJwt }),
    deferredRequest: createDeferredCredentialRequest('8xLOxBtZp8'),
    presentation: draftOf(vpToken),
    presentationResponse: {
      vp_token: vpToken,
      presentation_submission: JSON.stringify(submission),
      state: 'xyz',
    },
  }
}

function draftOf(jwt: string): JwsDraft {
  const jws = parseJws(jwt)
  if (!jws.ok) throw new TypeError(jws.reason)
  return { header: jws.header, payload: jws.payload, sign: () => new Uint8Array(64) }
}

/** Adds the changed lines with their surroundings; nothing if only the signature changes. */
function withDifference(item: string, valid: unknown, deviating: unknown): string {
  const lines = diffLines(toText(valid), toText(deviating))
  const isNear = (index: number) =>
    lines.slice(Math.max(index - 2, 0), index + 3).some(({ kind }) => kind !== 'both')
  const shown = lines.filter((_, index) => isNear(index))
  if (shown.length === 0) return item
  const block = ['```diff', ...formatDiff(shown).split('\n'), '```'].map((line) => `  ${line}`)
  return [item, '', ...block].join('\n')
}

/** JSON in lines, with keys, tokens and padding cut. */
function toText(message: unknown): string {
  const text = typeof message === 'string' ? message : JSON.stringify(message, readable, 2)
  return text.replaceAll(/[\w.-]{48,}/g, (long) => `${long.slice(0, 20)}…`)
}

/** The submission is JSON in a form field. */
function readable(name: string, value: unknown): unknown {
  if (name !== 'presentation_submission' || typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
