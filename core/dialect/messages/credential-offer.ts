import { preAuthorizedCodeGrant } from '#core/oid4vci/grant-types.ts'
import { type DialectEntry, isObject, isText } from '../dialect-entry.ts'

const clause = 'Document 1, credential_offer object'
const grant = `grants.${preAuthorizedCodeGrant}`

/** The credential offer, by revision. */
export const credentialOfferDialect: readonly DialectEntry[] = [
  {
    path: 'credentials.*',
    form: isText,
    follows: 'OpenID4VCI up to draft 12',
    clause,
    show: true,
  },
  {
    path: 'credentials.*',
    form: isObject,
    follows: 'OpenID4VCI up to draft 11',
    documents: 'credentials lists ids of credentials_supported, as texts',
    clause,
  },
  {
    path: 'credential_configuration_ids',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'credentials lists the ids of what is offered',
    clause: `OpenID4VCI 1.0, 4.1.1; ${clause}`,
  },
  {
    path: `${grant}.user_pin_required`,
    follows: 'OpenID4VCI up to draft 12',
    documents: 'tx_code is there where a PIN is required, and left out where none is',
    clause,
  },
  { path: `${grant}.tx_code`, follows: 'OpenID4VCI 1.0 (draft 13 and later)', clause },
  {
    path: `${grant}.interval`,
    follows: 'OpenID4VCI up to draft 13',
    documents: 'the grant holds pre-authorized_code and tx_code',
    clause,
  },
  {
    path: `${grant}.authorization_server`,
    follows: 'OpenID4VCI 1.0 (draft 12 and later)',
    documents: "the token endpoint is the issuer's own",
    clause: 'Document 1, Endpoints an issuer exposes to the wallet',
  },
  {
    path: 'grants.authorization_code',
    follows: 'OpenID4VCI, every revision',
    documents: 'offers are of the pre-authorized code flow',
    clause,
  },
]
