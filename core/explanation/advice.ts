/** What to provide for rules that need input from the user, not from a registry. */
const notKnown: Readonly<Record<string, string>> = {
  'presentation.audience': "Specify the verifier: the request's client_id.",
  'presentation.nonce': 'Specify the nonce of the request.',
  'submission.descriptor-map': "Specify the query: the id in the request's dcql_query.",
  'proof.aud': 'Specify the credential issuer.',
  'proof.nonce': 'Specify the c_nonce of the session.',
  'metadata.issuer': 'Specify the issuer that it was fetched for.',
  'offer.reference': 'Allow fetching, or provide the content of that address.',
  'request.reference': 'Allow fetching, or provide the content of that address.',
}

const askRegistries =
  'Specify the registries and the root of its environment, and check that they are available.'

/** Returns what to provide so that a rule can be checked. */
export const adviceFor = (rule: string): string => notKnown[rule] ?? askRegistries
