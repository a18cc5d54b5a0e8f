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

/** How a received credential is validated. */
export interface ValidateReceivedCredentialOptions extends WalletTrust {
  /** The types that the offer announced, outermost first, its own type last. */
  readonly types: readonly string[]
  /** The `credential_issuer` that sent it. Its status lists may be below this address. */
  readonly credentialIssuer?: string
  /** Default: a broken rule, or a failed lookup, rejects the credential. */
  readonly policy?: ReceivedCredentialPolicy | undefined
}

/**
 * Validates a received credential, before it is stored, with the rules of verifiers
 * (profile/credential, Rules): form, type, holder, period, signature, accreditation up to the root,
 * and status. All rules are evaluated, with the same names (`credential.*`, `trust.*`). A stored
 * credential can be validated again at any time.
 *
 * @assumption A-18 A-23 A-28 A-29
 */
export async function validateReceivedCredential(
  { account, now, http, verificationCache }: Wallet,
  credential: string,
  options: ValidateReceivedCredentialOptions,
): Promise<CredentialVerdict> {
  const { resolveDidDocument, readAttribute, fetchStatusList, environment, policy = {} } = options
  const result = await verifyLearCredential({
    credential,
    policy: environmentOf(credential, options),
    holderDid: account.did,
    now: now(),
    resolveDidDocument: resolveDidDocument ?? notConfigured('no DID registry'),
    readAttribute: readAttribute ?? notConfigured('no TIR'),
    fetchStatusList:
      fetchStatusList ??
      (resolveDidDocument ? createStatusListReader(http) : notConfigured('no DID registry')),
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
    inheritedTypes: acceptedType === defaultCredentialType ? inheritedTypes : announced,
    ...(environment ?? {
      environment: environmentOfSigner(credential),
      tirBaseUrl: '',
      rootDids: [],
    }),
    acceptedType,
    credentialIssuerUrls: [
      ...(base === undefined ? [] : [base]),
      ...(environment?.credentialIssuerUrls ?? []),
    ],
    checkStatus: true,
  }
}

// The required places of accreditations and status lists are known only with an environment.
const placesOfEnvironment: Readonly<Record<string, string>> = {
  'vc.termsOfUse.id': 'no TIR is configured in this wallet',
  'vc.credentialStatus.statusListCredential':
    'no issuer with that list is configured in this wallet',
}

function withoutEnvironment(failure: VerificationFailure): VerificationFailure {
  const { rule, path } = failure
  const reason = placesOfEnvironment[path]
  return reason === undefined ? failure : { rule, path, reason, unchecked: 'not-asked' }
}

const notConfigured = (what: string) => async (): Promise<FailedLookup> =>
  missing('not-asked', `${what} is configured in this wallet`)
