import type { DialectEntry } from '../dialect-entry.ts'

const clause = 'Document 1, Endpoints an issuer exposes to the wallet'
const byFormat = 'format and types say what is asked for'
const oneProof = 'proof carries one proof of possession, a JWT'

/** The credential request, by revision. */
export const credentialRequestDialect: readonly DialectEntry[] = [
  { path: 'format', follows: 'OpenID4VCI up to draft 14', clause, show: true },
  { path: 'types', follows: 'OpenID4VCI up to draft 11', clause },
  {
    path: 'credential_definition',
    follows: 'OpenID4VCI drafts 12 to 14',
    documents: 'types stands in the request itself',
    clause,
  },
  {
    path: 'credential_identifier',
    follows: 'OpenID4VCI draft 12 and later',
    documents: byFormat,
    clause: `OpenID4VCI 1.0, 8.2; ${clause}`,
  },
  {
    path: 'credential_configuration_id',
    follows: 'OpenID4VCI 1.0 (draft 15 and later)',
    documents: byFormat,
    clause: `OpenID4VCI 1.0, 8.2; ${clause}`,
  },
  { path: 'proof', follows: 'OpenID4VCI up to draft 15', clause },
  {
    path: 'proof.proof_type',
    form: (type) => type !== 'jwt',
    follows: 'OpenID4VCI draft 12 and later',
    documents: oneProof,
    clause,
    show: true,
  },
  {
    path: 'proofs',
    follows: 'OpenID4VCI 1.0 (draft 14 and later)',
    documents: oneProof,
    clause: `OpenID4VCI 1.0, 8.2; ${clause}`,
  },
  {
    path: 'credential_response_encryption',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'answers are plain JSON',
    clause,
  },
]

/** The request for a deferred credential, by revision. */
export const deferredRequestDialect: readonly DialectEntry[] = [
  {
    path: 'acceptance_token',
    follows: 'OpenID4VCI up to draft 11 by its name, draft 12 and later by its place in the body',
    clause,
  },
  {
    path: 'transaction_id',
    follows: 'OpenID4VCI 1.0 (draft 12 and later)',
    documents: 'acceptance_token names the credential',
    clause: `OpenID4VCI 1.0, 9.1; ${clause}`,
  },
]
