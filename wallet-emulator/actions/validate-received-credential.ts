import { environmentOfSigner } from '#core/did/did-org.ts'
import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { defaultCredentialType, inheritedTypes } from '#core/lear-credential/lear-credential.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'
import type { FailedLookup, VerificationFailure } from '#core/verification/rules.ts'
import type { Wallet } from '../create-wallet.ts'
import { createStatusListReader, missing, type WalletTrust } from '../trust/wallet-trust.ts'
import {
  type CredentialVerdict,
  type ReceivedCredentialPolicy,
  reactionTo,
} from './received-credential-policy.ts'

/** What a credential is held against. */
export interface ValidateReceivedCredentialOptions extends WalletTrust {
  /** The types that the offer announced, outermost first, its own type last. */
  readonly types: readonly string[]
  /** The `credential_issuer` that it came from, below which its status lists may be. */
  readonly credentialIssuer?: string
  /** By default what is broken, or could not be looked up, refuses the credential. */
  readonly policy?: ReceivedCredentialPolicy | undefined
}

/**
 * Judges a credential that an issuer sent, before it is kept, by the rules that verifiers judge it
 * by (profile/credential, Rules): form, type, holder, period,
 * signature, accreditation up to the root, and status. All rules are evaluated, under the names that
 * they have there (`credential.*`, `trust.*`). It can be judged again at any later time.
 *
 * @assumption A-18 A-23 A-28 A-29
 */
export async function validateReceivedCredential(
  { account, now, http, verificationCache }: Wallet,
  credential: string,
  options: ValidateReceivedCredentialOptions,
): Promise<CredentialVerdict> {
  const { resolveDidDocument, readAttribute, fetchStatusList, environment, policy = {} } = options
  const ownLists = resolveDidDocument && createStatusListReader(http)
  const result = await verifyLearCredential({
    credential,
    policy: environmentOf(credential, options),
    holderDid: account.did,
    now: now(),
    resolveDidDocument: resolveDidDocument ?? nobody('no DID registry'),
    readAttribute: readAttribute ?? nobody('no TIR'),
    fetchStatusList: fetchStatusList ?? ownLists ?? nobody('no DID registry'),
    cache: verificationCache,
  })
  const found = environment ? result.failures : result.failures.map(withoutEnvironment)
  const reactions = found.map((failure) => reactionTo(policy, failure))
  return {
    verdict: reactions.includes('refuse')
      ? 'refused'
      : reactions.includes('warn')
        ? 'accepted-with-warnings'
        : 'accepted',
    failures: found.filter(({ unchecked }) => unchecked === undefined),
    unchecked: found.filter(({ unchecked }) => unchecked !== undefined),
    checked: result.checked,
  }
}

function environmentOf(
  credential: string,
  { types, credentialIssuer, environment }: ValidateReceivedCredentialOptions,
): CredentialPolicy {
  const acceptedType = types.at(-1) ?? defaultCredentialType
  const announced = types.slice(0, -1)
  const base = credentialIssuer?.replace(/\/$/, '')
  return {
    environment: environmentOfSigner(credential),
    tirBaseUrl: '',
    rootDids: [],
    inheritedTypes: acceptedType === defaultCredentialType ? inheritedTypes : announced,
    ...environment,
    acceptedType,
    credentialIssuerUrls: [
      ...(base === undefined ? [] : [base]),
      ...(environment?.credentialIssuerUrls ?? []),
    ],
    checkStatus: true,
  }
}

// Where accreditations and status lists have to be, only the environment tells.
const placesOfEnvironment: Readonly<Record<string, string>> = {
  'vc.termsOfUse.id': 'this wallet was told of no TIR',
  'vc.credentialStatus.statusListCredential': 'this wallet was told of no issuer with that list',
}

function withoutEnvironment(failure: VerificationFailure): VerificationFailure {
  const { rule, path } = failure
  const reason = placesOfEnvironment[path]
  return reason === undefined ? failure : { rule, path, reason, unchecked: 'not-asked' }
}

const nobody = (what: string) => async (): Promise<FailedLookup> =>
  missing('not-asked', `this wallet was told of ${what}`)
