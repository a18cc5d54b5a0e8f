// The public entry of the library, and the only barrel file in the repository, so that users of the
// package do not need to know its files. Code in this repository imports the files directly.
// biome-ignore-start lint/performance/noBarrelFile: see above
export { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
export { type FoundLink, findLink, type LinkKind } from '#core/link/find-link.ts'
export type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
export type { Lookup, VerificationFailure } from '#core/verification/rules.ts'
export {
  type AcceptedCredential,
  type AcceptOfferOptions,
  acceptOffer,
} from './actions/accept-offer.ts'
export { type PresentedCredential, type PresentOptions, present } from './actions/present.ts'
export type {
  CredentialVerdict,
  ReceivedCredentialPolicy,
  RulePattern,
  RuleReaction,
  RuleReactions,
} from './actions/received-credential-policy.ts'
export type { DeferralOptions } from './actions/request-credential.ts'
export type { PinAttempt } from './actions/request-token.ts'
export {
  type ResolveAuthorizationRequestOptions,
  type ResolvedRequest,
  resolveAuthorizationRequest,
} from './actions/resolve-authorization-request.ts'
export { type ResolvedOffer, resolveCredentialOffer } from './actions/resolve-credential-offer.ts'
export {
  createCredentialSelector,
  type MatchingCredentials,
  type SelectCredential,
  type SelectionRules,
  selectCredentials,
} from './actions/select-credentials.ts'
export {
  type ValidateReceivedCredentialOptions,
  validateReceivedCredential,
} from './actions/validate-received-credential.ts'
export { createWallet, type Wallet, type WalletOptions } from './create-wallet.ts'
export type { OnWalletEvent, WalletEvent } from './events.ts'
export { allFaults, findFault, findFaults } from './faults/find-faults.ts'
export type { WalletFault } from './faults/wallet-fault.ts'
export type {
  FetchLike,
  HttpExchange,
  WalletHttp,
  WalletHttpOptions,
} from './http/create-wallet-http.ts'
export {
  type Account,
  accountOfKey,
  type CreateAccountOptions,
  createAccount,
} from './keys/create-account.ts'
export { type LinkSource, type ReadLinkResult, readLink } from './link/read-link.ts'
export {
  type CameraFrame,
  type FrameFormat,
  type ReadQrOptions,
  type ReadQrResult,
  readQrFrame,
  readQrImage,
  readQrPng,
} from './qr/read-qr-code.ts'
export {
  type CreateFileStoreOptions,
  createFileStore,
} from './store/create-file-store.ts'
export {
  createPassphraseCodec,
  type PassphraseCodecOptions,
  type ScryptCost,
  type StoreCodec,
} from './store/create-passphrase-codec.ts'
export {
  createMemoryStore,
  credentialIdOf,
  type StoredCredential,
  type WalletStore,
} from './store/wallet-store.ts'
export {
  type CreateWalletTrustOptions,
  createAttributeReader,
  createDidResolver,
  createStatusListReader,
  createWalletTrust,
  type TrustEnvironment,
  type WalletTrust,
} from './trust/wallet-trust.ts'
export type { CounterpartAnswer, WalletErrorCode } from './wallet-error.ts'
// biome-ignore-end lint/performance/noBarrelFile: see above
