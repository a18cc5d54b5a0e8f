import { submissionDefinitionId } from '#core/oid4vp/presentation-submission/create-presentation-submission.ts'
import { type DialectEntry, isList, isObject, isText } from '../dialect-entry.ts'

const clause = 'Document 1, Endpoint a verifier exposes to the wallet'
const submission = 'Document 1, presentation_submission'
const oneToken = 'vp_token is one presentation JWT'

/** What a wallet posts, by revision. */
export const presentationResponseDialect: readonly DialectEntry[] = [
  {
    path: 'vp_token',
    form: isText,
    follows: 'OpenID4VP up to draft 25, gone in 1.0',
    clause,
  },
  {
    path: 'vp_token',
    form: isObject,
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: oneToken,
    clause: `OpenID4VP 1.0, 8.1; ${clause}`,
  },
  {
    path: 'vp_token',
    form: isList,
    follows: 'OpenID4VP up to draft 25, gone in 1.0',
    documents: oneToken,
    clause,
  },
  {
    path: 'presentation_submission',
    follows: 'OpenID4VP up to draft 25, gone in 1.0',
    clause: submission,
  },
  {
    path: 'presentation_submission.definition_id',
    form: (id) => id !== submissionDefinitionId,
    follows: 'OpenID4VP up to draft 25, gone in 1.0',
    documents: `definition_id is the text ${submissionDefinitionId}`,
    clause: submission,
    show: true,
  },
  {
    path: 'response',
    follows: 'OpenID4VP draft 14 and later',
    documents: 'vp_token and presentation_submission are form fields, not encrypted',
    clause,
  },
  {
    path: 'id_token',
    follows: 'OpenID4VP with SIOPv2, every revision',
    documents: 'response_type is always vp_token',
    clause: 'Document 1, Presentation authorization_request',
  },
]
