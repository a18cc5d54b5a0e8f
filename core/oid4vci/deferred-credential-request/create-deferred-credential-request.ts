/** The body that asks for a deferred credential (Document 1, POST /deferred_credential). */
export function createDeferredCredentialRequest(acceptanceToken: string): {
  readonly acceptance_token: string
} {
  return { acceptance_token: acceptanceToken }
}
