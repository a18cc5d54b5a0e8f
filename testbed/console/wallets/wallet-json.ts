import { parseJws } from '#core/crypto/jws.ts'
import { summarizeCredentialContent } from '#core/lear-credential/lear-credential.ts'
import type { Language } from '#kit/language.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'
import { explainClaims } from '../claims.ts'
import type { ShelfWallet } from './wallet-shelf.ts'

/** A wallet as the console's calls return it, with its credentials, newest first. */
export async function describeShelfWallet(wallet: ShelfWallet) {
  const { id, name, environment, account, faults, createdAt, activities, store } = wallet
  const credentials = await store.listCredentials()
  return {
    id,
    name,
    environment,
    holderDid: account.did,
    algorithm: account.algorithm,
    didMethod: account.didMethod,
    faults: faults.map((fault) => fault.name),
    createdAt,
    activities,
    credentials: credentials.map(describeCredential).reverse(),
  }
}

/** The facts of a card, read without trusting the issuer. */
function describeCredential({ id, credential, receivedAt }: StoredCredential) {
  const jws = parseJws(credential)
  return { ...summarizeCredentialContent(jws.ok ? jws.payload : {}), id, receivedAt }
}

/** A credential with the members of its header and payload, each with its meaning. */
export function decodeCredential({ credential }: StoredCredential, language: Language) {
  const jws = parseJws(credential)
  return {
    token: credential,
    header: jws.ok ? explainClaims(jws.header, language) : [],
    payload: jws.ok ? explainClaims(jws.payload, language) : [],
  }
}
