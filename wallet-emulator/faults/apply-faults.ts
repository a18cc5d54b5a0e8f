import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createSignature } from '#core/crypto/create-signature.ts'
import { parseJws } from '#core/crypto/parse-jws.ts'
import type { Wallet } from '../create-wallet.ts'
import { type Account, createAccount } from '../keys/create-account.ts'
import type { FaultContext, FaultStages, JwsDraft } from './wallet-fault.ts'

type JwsStage = 'proof' | 'presentation'
type FormStage = 'tokenRequest' | 'presentationResponse'

/** Gives the wallet's JWT, or what its faults make of it, signed again after all of them. */
export function applyJwsFaults(wallet: Wallet, stage: JwsStage, jwt: string): string {
  const changes = stagesOf(wallet, stage)
  if (changes.length === 0) return jwt
  const jws = parseJws(jwt)
  if (!jws.ok) throw new TypeError(`the wallet made no JWT: ${jws.reason}`)
  const { algorithm, privateKey } = wallet.account
  const context = contextOf(wallet)
  const draft = changes.reduce<JwsDraft>((changed, change) => change(changed, context), {
    header: jws.header,
    payload: jws.payload,
    sign: (signingInput) => createSignature(algorithm, privateKey, Buffer.from(signingInput)),
  })
  const parts = [draft.header, draft.payload].map((part) => encodeBase64url(JSON.stringify(part)))
  const signingInput = parts.join('.')
  return `${signingInput}.${encodeBase64url(draft.sign(signingInput))}`
}

/** Gives the form that the wallet is about to post, or what its faults make of it. */
export function applyFormFaults(
  wallet: Wallet,
  stage: FormStage,
  form: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const context = contextOf(wallet)
  return stagesOf(wallet, stage).reduce((changed, change) => change(changed, context), form)
}

/** Gives the body of the wallet's credential request, or what its faults make of it. */
export function applyCredentialRequestFaults(
  wallet: Wallet,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const context = contextOf(wallet)
  const changes = stagesOf(wallet, 'credentialRequest')
  return changes.reduce((changed, change) => change(changed, context), body)
}

function stagesOf<Stage extends keyof FaultStages>(
  { faults }: Wallet,
  stage: Stage,
): NonNullable<FaultStages[Stage]>[] {
  return faults.map(({ apply }) => apply[stage]).filter((change) => change !== undefined)
}

const otherAccounts = new WeakMap<Account, Account>()

function contextOf({ account, now }: Wallet): FaultContext {
  const { curve, didMethod } = account
  const otherAccount = otherAccounts.get(account) ?? createAccount({ curve, didMethod })
  otherAccounts.set(account, otherAccount)
  return { account, otherAccount, now: now() }
}
