import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createSignature, createSigningInput, parseJws } from '#core/crypto/jws.ts'
import type { Wallet } from '../create-wallet.ts'
import type { WalletResponse } from '../http/create-wallet-http.ts'
import { type Account, createAccount } from '../keys/create-account.ts'
import type {
  Call,
  Change,
  FaultContext,
  IssuanceDetails,
  JwsDraft,
  Stage,
  StageValues,
} from './wallet-fault.ts'

/** Returns the value of a stage with the wallet's faults applied, one after another. */
export function applyFaults<Name extends Stage>(
  wallet: Wallet,
  stage: Name,
  value: StageValues[Name],
  issuance?: IssuanceDetails,
): StageValues[Name] {
  const changes = changesOf(wallet, stage)
  if (changes.length === 0) return value
  const context = contextOf(wallet, issuance)
  return changes.reduce((changed, { apply }) => apply(changed, context), value)
}

/** Returns the wallet's JWT with its faults applied, signed again after all of them. */
export function applyJwsFaults(
  wallet: Wallet,
  stage: 'proof' | 'presentation',
  jwt: string,
  issuance?: IssuanceDetails,
): string {
  if (changesOf(wallet, stage).length === 0) return jwt
  const jws = parseJws(jwt)
  if (!jws.ok) throw new TypeError(`the wallet did not create a JWT: ${jws.reason}`)
  const { algorithm, privateKey } = wallet.account
  const good: JwsDraft = {
    header: jws.header,
    payload: jws.payload,
    sign: (signingInput) => createSignature(algorithm, privateKey, Buffer.from(signingInput)),
  }
  const draft = applyFaults(wallet, stage, good, issuance)
  const signingInput = createSigningInput(draft.header, draft.payload)
  return `${signingInput}.${encodeBase64url(draft.sign(signingInput))}`
}

/** Sends a request of the wallet with its faults applied. */
export function sendWithFaults(
  wallet: Wallet,
  stage: 'tokenCall' | 'credentialCall' | 'deferredCall' | 'presentationCall',
  call: Call,
  issuance?: IssuanceDetails,
): Promise<WalletResponse> {
  const send = ({ url, ...request }: Call) => wallet.http.request(url, request)
  return applyFaults(wallet, stage, send, issuance)(call)
}

/**
 * Sorts the changes, so that the order of the faults does not matter: repeated and earlier requests
 * wrap the changed request.
 */
function changesOf<Name extends Stage>(
  { faults }: Wallet,
  stage: Name,
): Change<StageValues[Name]>[] {
  return faults
    .map(({ apply }): Change<StageValues[Name]> | undefined => apply[stage])
    .filter((change) => change !== undefined)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Changes of time and number come after, and so wrap, the changes of a request's content. */
const rankOf = ({ members }: { readonly members: readonly string[] }) =>
  members.some((member) => ['before', 'times', 'time'].includes(member)) ? 1 : 0

const otherAccounts = new WeakMap<Account, Account>()

function contextOf(
  { account, now, wait }: Wallet,
  issuance: IssuanceDetails | undefined,
): FaultContext {
  const { curve, didMethod } = account
  const seed = `an account other than ${account.did}`
  const otherAccount = otherAccounts.get(account) ?? createAccount({ curve, didMethod, seed })
  otherAccounts.set(account, otherAccount)
  return { account, otherAccount, now: now(), wait, issuance }
}
